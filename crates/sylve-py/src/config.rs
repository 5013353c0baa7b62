//! The configuration of a search, from the dictionary that `sylve.search.running.compiled` makes.

use crate::parts::Parts;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sylve_core::guide::{Chances, Guide};
use sylve_core::search::Config;
use sylve_core::search::config::{
    Algorithm, Formula, Policy, Prior, Rule, Schedule, TreeConfig, Update,
};
use sylve_core::search::judging::Judgement;
use sylve_core::search::own::{Method, Own};
use sylve_core::search::parallel::Parallel;
use sylve_core::search::units::Counting;

/// A configuration, how many threads there are, how they share the work, and the parts of the user's
/// own.
pub type Read = (Config, usize, Parallel, Parts);

/// Reads them. The Python side has checked the values.
pub fn read_config(config: &Bound<'_, PyDict>, codes: usize) -> PyResult<Read> {
    let mut parts = Parts::default();
    let fields = Fields(config, &mut parts);
    read_fields(fields, codes).map(|(config, threads, parallel)| (config, threads, parallel, parts))
}

fn read_fields(mut fields: Fields<'_, '_>, codes: usize) -> PyResult<(Config, usize, Parallel)> {
    let (threads, parallel) = (fields.get("threads")?, read_parallel(&fields)?);
    let in_a_batch = if parallel == Parallel::Batch { threads } else { 1 };
    let policy = read_policy(&mut fields, codes)?;
    let config = Config {
        algorithm: read_algorithm(&mut fields, in_a_batch, codes, policy.counting())?,
        policy,
        seed: fields.get("seed")?,
    };
    Ok((config, threads, parallel))
}

fn read_parallel(fields: &Fields<'_, '_>) -> PyResult<Parallel> {
    Ok(match fields.get::<String>("parallel")?.as_str() {
        "root" => Parallel::Root,
        "tree" => Parallel::Tree,
        "batch" => Parallel::Batch,
        name => return Err(unknown("way to share work", name)),
    })
}

struct Fields<'a, 'py>(&'a Bound<'py, PyDict>, &'a mut Parts);

impl<'py> Fields<'_, 'py> {
    fn get<T: for<'a> FromPyObject<'a, 'py>>(&self, key: &str) -> PyResult<T> {
        let value = self.0.get_item(key)?.ok_or_else(|| missing(key))?;
        value.extract::<T>().map_err(Into::into)
    }

    /// The part of a user's own that stands there, if it has this method.
    fn own(&mut self, key: &str, methods: &[Method]) -> PyResult<Option<Own>> {
        let value = self.0.get_item(key)?.ok_or_else(|| missing(key))?;
        if !value.hasattr("address")? {
            return Ok(None);
        }
        let own = self.1.read(&value)?;
        if methods.contains(&own.method()) {
            return Ok(Some(own));
        }
        Err(unknown(key, &format!("{:?}", own.method())))
    }
}

fn missing(key: &str) -> PyErr {
    PyValueError::new_err(format!("the configuration has no {key:?}"))
}

fn unknown(what: &str, name: &str) -> PyErr {
    PyValueError::new_err(format!("the engine has no {what} {name:?}"))
}

fn read_algorithm(
    fields: &mut Fields<'_, '_>,
    threads: usize,
    codes: usize,
    counting: Counting,
) -> PyResult<Algorithm> {
    let name: String = fields.get("algorithm")?;
    let formula = match name.as_str() {
        "flat" => return Ok(Algorithm::Flat { gamma: fields.get("gamma")? }),
        "flat_amaf" => return Ok(Algorithm::FlatAmaf),
        "ucb" => return Ok(Algorithm::Ucb(read_rule(fields)?)),
        "sequential_halving" => {
            return Ok(Algorithm::SequentialHalving { playouts: fields.get("playouts")? });
        }
        "uct" => Formula::Uct(read_rule(fields)?),
        "amaf_uct" => Formula::Amaf { alpha: fields.get("alpha")?, c: fields.get("c")? },
        "rave" => Formula::Rave { schedule: read_schedule(fields)?, c: fields.get("c")? },
        "grave" => Formula::Grave {
            schedule: read_schedule(fields)?,
            c: fields.get("c")?,
            reference: fields.get("reference")?,
        },
        "multi_scale_rave" => Formula::MultiScale {
            limits: fields.get("limits")?,
            by_kind: fields.get("by_kind")?,
            c: fields.get("c")?,
        },
        name => return Err(unknown("search", name)),
    };
    let update = match fields.get::<String>("update")?.as_str() {
        "course" => Update::Course,
        "suffix" => Update::Suffix,
        name => return Err(unknown("update", name)),
    };
    Ok(Algorithm::Tree(TreeConfig {
        formula,
        update,
        transpositions: fields.get("transpositions")?,
        solver: fields.get("solver")?,
        solver_nodes: fields.get("solver_nodes")?,
        solver_rate: fields.get("solver_rate")?,
        expand: fields.get("expand")?,
        batch: fields.get("batch")?,
        threads,
        memory: fields.get::<usize>("memory")?.min(TreeConfig::MOST_MEMORY),
        implicit: fields.get("implicit")?,
        prior: read_prior(fields, codes)?,
        judgement: Judgement { evaluation: fields.get("evaluation")?, scale: fields.get("scale")? },
        counting,
    }))
}

fn read_prior(fields: &Fields<'_, '_>, codes: usize) -> PyResult<Prior> {
    let name: String = fields.get("prior")?;
    let visits = || fields.get("prior_visits");
    Ok(match name.as_str() {
        "none" => Prior::None,
        "heuristic" => Prior::Heuristic { visits: visits()? },
        "preferred" => Prior::Preferred {
            visits: visits()?,
            weights: read_weights(fields, "prior_otherwise", "prior_weights", codes)?,
        },
        name => return Err(unknown("prior", name)),
    })
}

/// A weight for each code: those that have one of their own, and the others.
fn read_weights(
    fields: &Fields<'_, '_>,
    otherwise: &str,
    weights: &str,
    codes: usize,
) -> PyResult<Vec<u32>> {
    let mut all = vec![fields.get(otherwise)?; codes];
    for (code, weight) in fields.get::<Vec<(usize, u32)>>(weights)? {
        if let Some(slot) = all.get_mut(code) {
            *slot = weight;
        }
    }
    Ok(all)
}

fn read_rule(fields: &mut Fields<'_, '_>) -> PyResult<Rule> {
    if let Some(own) = fields.own("rule", &[Method::Exploration, Method::Choose])? {
        let by_score = own.method() == Method::Exploration;
        return Ok(if by_score { Rule::Own(own) } else { Rule::OwnChoice(own) });
    }
    let (name, values): (String, Vec<f64>) = fields.get("rule")?;
    Ok(match (name.as_str(), values.as_slice()) {
        ("ucb1", &[c]) => Rule::Ucb1 { c },
        ("tuned", &[c, simple]) => Rule::Tuned { c, simple: simple != 0.0 },
        ("bayes", &[wins, losses]) => Rule::Bayes { wins, losses },
        ("epsilon", &[e]) => Rule::Epsilon { e },
        ("decaying_epsilon", &[c, d]) => Rule::DecayingEpsilon { c, d },
        ("thompson", &[wins, losses]) => Rule::Thompson { wins, losses },
        ("discounted", &[gamma, c]) => Rule::Discounted { gamma, c },
        (name, _) => return Err(unknown("rule", name)),
    })
}

fn read_schedule(fields: &mut Fields<'_, '_>) -> PyResult<Schedule> {
    if let Some(own) = fields.own("schedule", &[Method::Beta])? {
        return Ok(Schedule::Own(own));
    }
    let (name, values): (String, Vec<f64>) = fields.get("schedule")?;
    Ok(match (name.as_str(), values.as_slice()) {
        ("hand", &[k]) => Schedule::Hand { k },
        ("bias", &[b]) => Schedule::Bias { b },
        ("slides", &[b]) => Schedule::Slides { b },
        ("course", &[]) => Schedule::Course,
        ("fixed", &[beta]) => Schedule::Fixed { beta },
        ("mse", &[]) => Schedule::Mse,
        ("pooled", &[]) => Schedule::Pooled,
        (name, _) => return Err(unknown("schedule", name)),
    })
}

fn read_policy(fields: &mut Fields<'_, '_>, codes: usize) -> PyResult<Policy> {
    if let Some(own) = fields.own("policy", &[Method::Pick])? {
        return Ok(Policy::Own(own));
    }
    Ok(match fields.get::<String>("policy")?.as_str() {
        "uniform" => Policy::Uniform,
        "decisive" => Policy::Decisive,
        "mast" => Policy::Mast { epsilon: fields.get("epsilon")? },
        "weighted" => {
            Policy::Weighted { weights: read_weights(fields, "otherwise", "weights", codes)? }
        }
        "featured" => Policy::Featured { weights: fields.get("weights")? },
        "cut" => {
            let then = fields.get::<Bound<'_, PyDict>>("then")?;
            let judgement = Judgement {
                evaluation: fields.get("cut_evaluation")?,
                scale: fields.get("cut_scale")?,
            };
            let plies = fields.get("plies")?;
            let then = Box::new(read_policy(&mut Fields(&then, fields.1), codes)?);
            Policy::Cut { plies, judgement, then }
        }
        "bridge" => Policy::Bridge { then: read_inner(fields, "then", codes)? },
        "mogo" => Policy::Guided(Guide::Mogo),
        "local" => Policy::Guided(Guide::Local(Chances {
            save: fields.get("save")?,
            pattern: fields.get("pattern")?,
            capture: fields.get("capture")?,
            refuse: fields.get("refuse")?,
        })),
        "mix" => Policy::Mix {
            p: fields.get("p")?,
            first: read_inner(fields, "first", codes)?,
            second: read_inner(fields, "second", codes)?,
        },
        name => return Err(unknown("policy", name)),
    })
}

/// The policy in a dictionary of its own.
fn read_inner(fields: &mut Fields<'_, '_>, key: &str, codes: usize) -> PyResult<Box<Policy>> {
    let inner: Bound<'_, PyDict> =
        fields.0.get_item(key)?.ok_or_else(|| missing(key))?.cast_into()?;
    read_policy(&mut Fields(&inner, fields.1), codes).map(Box::new)
}
