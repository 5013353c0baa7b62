//! A learned evaluation: each pattern is some cells, and each way to fill them has a weight.
//!
//! The numbers come from a file (`python/sylve/evaluations/weights_file.py`), the code to read is
//! `python/sylve/evaluations/patterns.py`. A filled pattern is a number in base three, a digit for
//! each cell: 0 empty, 1 own, 2 the other side's.

use crate::cpu::{self, Cpu, Work};

/// Room for instances, so that the processor adds whole registers.
const LANES: usize = 48;

/// The most cells of a pattern: its numbers fit 16 bits.
const MOST_CELLS: usize = 10;

/// A pattern with the places where it lies on the board. All of them share its weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Family {
    /// Its name among the terms.
    pub name: String,
    /// The cells of each instance, the first cell with the lowest digit.
    pub instances: Vec<Vec<u8>>,
}

/// How weights are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scale {
    /// The side of the board.
    pub size: usize,
    /// The first stage begins with so many discs; fewer belong to it too.
    pub first: u32,
    /// The discs that are put in one stage.
    pub width: u32,
    /// What a weight of 1 is worth, in thousandths of a disc.
    pub unit: i32,
}

/// What four cells, as a set of bits, add to the number of each instance. A table for eight cells at
/// once would be half as many additions, but would not fit the first-level cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Digits([u16; LANES]);

/// The weights of all patterns at all stages, ready to be looked up.
#[derive(Debug)]
pub struct Patterns {
    scale: Scale,
    families: Vec<Family>,
    /// By place of the four cells, then by their bits.
    digits: Box<[[Digits; 16]; 16]>,
    /// Where the weights of each instance begin within a stage.
    offsets: Vec<u32>,
    stages: u32,
    /// The weights of a stage.
    stage: usize,
    weights: Vec<i16>,
}

impl Patterns {
    /// Weights by stage, family and number. An error says what does not fit.
    pub fn new(scale: Scale, families: Vec<Family>, weights: Vec<i16>) -> Result<Patterns, String> {
        let Scale { size, first, width, unit } = scale;
        let cells = size * size;
        if !(1..=8).contains(&size) || width == 0 || first as usize > cells {
            return Err(format!("no board or stages: {scale:?}"));
        }
        if !(1..=1000).contains(&unit) {
            return Err(format!("the unit must be from 1 to 1000 thousandths, not {unit}"));
        }
        let mut digits = Box::new([[Digits([0; LANES]); 16]; 16]);
        let (mut offsets, mut stage) = (Vec::new(), 0);
        for Family { name, instances } in &families {
            let length = instances.first().map_or(0, Vec::len);
            for instance in instances {
                if instance.len() != length || length > MOST_CELLS || offsets.len() == LANES {
                    return Err(format!(
                        "{name}: expected at most {LANES} instances of at most {MOST_CELLS} cells"
                    ));
                }
                for (place, &cell) in instance.iter().enumerate() {
                    let cell = usize::from(cell);
                    if cell >= cells || instance[..place].contains(&(cell as u8)) {
                        return Err(format!("{name}: no cells of the board: {instance:?}"));
                    }
                    let digit = 3u16.pow(place as u32);
                    for (bits, Digits(digits)) in digits[cell / 4].iter_mut().enumerate() {
                        digits[offsets.len()] += digit * (bits >> (cell % 4) & 1) as u16;
                    }
                }
                offsets.push(stage as u32);
            }
            stage += 3usize.pow(length as u32);
        }
        if stage == 0 || weights.is_empty() || !weights.len().is_multiple_of(stage) {
            return Err(format!("{} weights, expected stages of {stage}", weights.len()));
        }
        let stages = (weights.len() / stage) as u32;
        Ok(Patterns { scale, families, digits, offsets, stages, stage, weights })
    }

    /// The side of the board.
    pub fn size(&self) -> usize {
        self.scale.size
    }

    /// The numbers of all instances.
    #[inline(always)]
    fn numbers(&self, own: u64, other: u64) -> Digits {
        let (mut ones, mut twos) = (Digits([0; LANES]), [0; LANES]);
        for (place, digits) in self.digits.iter().enumerate() {
            let bits = |set: u64| (set >> (4 * place)) as usize & 15;
            let (Digits(own), Digits(other)) = (&digits[bits(own)], &digits[bits(other)]);
            for lane in 0..LANES {
                ones.0[lane] += own[lane];
                twos[lane] += other[lane];
            }
        }
        for (one, two) in ones.0.iter_mut().zip(twos) {
            *one += 2 * two;
        }
        ones
    }

    /// The weights of the stage of a position.
    #[inline(always)]
    fn stage_of(&self, own: u64, other: u64) -> &[i16] {
        let discs = (own | other).count_ones();
        let stage =
            (discs.saturating_sub(self.scale.first) / self.scale.width).min(self.stages - 1);
        &self.weights[stage as usize * self.stage..][..self.stage]
    }

    /// The discs by which the side with the cells `own`, who is to move, will win; in thousandths.
    #[inline(always)]
    pub fn evaluate(&self, own: u64, other: u64) -> i32 {
        let (Digits(numbers), weights) = (self.numbers(own, other), self.stage_of(own, other));
        let mut sum = 0;
        for (&offset, &number) in self.offsets.iter().zip(&numbers) {
            sum += i32::from(weights[offset as usize + usize::from(number)]);
        }
        self.within(sum * self.scale.unit)
    }

    /// [`Patterns::evaluate`] where nothing is compiled for this processor yet.
    pub fn evaluate_here(&self, own: u64, other: u64) -> i32 {
        cpu::run(Here { patterns: self, own, other })
    }

    /// The sum of each family; [`Patterns::evaluate`] adds them up.
    pub fn terms(&self, own: u64, other: u64) -> Vec<(&str, i32)> {
        let (Digits(numbers), weights) = (self.numbers(own, other), self.stage_of(own, other));
        let mut at = 0;
        let terms = self.families.iter().map(|Family { name, instances }| {
            let mut sum = 0;
            for _ in instances {
                let place = self.offsets[at] as usize + usize::from(numbers[at]);
                sum += i32::from(weights[place]);
                at += 1;
            }
            (name.as_str(), sum * self.scale.unit)
        });
        terms.collect()
    }

    /// Nobody wins by more than the whole board.
    #[inline(always)]
    fn within(&self, score: i32) -> i32 {
        let most = 1000 * (self.scale.size * self.scale.size) as i32;
        score.clamp(-most, most)
    }
}

/// One evaluation.
struct Here<'a> {
    patterns: &'a Patterns,
    own: u64,
    other: u64,
}

impl Work for Here<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self) -> i32 {
        self.patterns.evaluate(self.own, self.other)
    }
}
