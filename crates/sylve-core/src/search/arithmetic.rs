//! The arithmetic of the formulas: only `+ - * /` and `sqrt` on doubles, which IEEE 754 defines
//! exactly. The same lines as in `python/sylve/search/reference/arithmetic.py`.

use crate::rng::Rng;
use std::sync::OnceLock;

use std::f64::consts::{FRAC_1_SQRT_2 as SQRT_HALF, LN_2 as LN2};

/// The natural logarithm of a positive double.
///
/// x = m * 2^k with m in [sqrt(1/2), sqrt(2)); ln m = 2 atanh(t), t = (m - 1) / (m + 1), as a series
/// of 12 terms: |t| < 0.172, so that the first term left out is below 1e-18.
pub fn ln(mut x: f64) -> f64 {
    let mut k = 0i32;
    while x >= 2.0 {
        x *= 0.5;
        k += 1;
    }
    while x < 1.0 {
        x *= 2.0;
        k -= 1;
    }
    x *= 0.5; // now in [1/2, 1)
    k += 1;
    if x < SQRT_HALF {
        x *= 2.0;
        k -= 1;
    }
    let t = (x - 1.0) / (x + 1.0);
    let square = t * t;
    let mut total = 0.0;
    let mut term = 23.0;
    while term >= 1.0 {
        total = total * square + 1.0 / term;
        term -= 2.0;
    }
    2.0 * t * total + f64::from(k) * LN2
}

/// The logarithm of a count: from a table, made once per process by the same series, while small.
#[inline(always)]
pub fn ln_of(n: u32) -> f64 {
    static TABLE: OnceLock<Box<[f64]>> = OnceLock::new();
    let table = TABLE.get_or_init(|| (0..65_536u32).map(|n| ln(f64::from(n.max(1)))).collect());
    match table.get(n as usize) {
        Some(&value) => value,
        None => ln(f64::from(n)),
    }
}

/// The exponential of a double between -700 and 700.
///
/// x = k ln 2 + r with |r| <= ln 2 / 2; the Taylor series of e^r to r^16 / 16!, below 1e-21 after.
pub fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    let k = (x / LN2 + if x >= 0.0 { 0.5 } else { -0.5 }) as i32;
    let r = x - f64::from(k) * LN2;
    let mut total = 1.0;
    let mut term = 16.0;
    while term >= 1.0 {
        total = 1.0 + total * r / term;
        term -= 1.0;
    }
    let mut power = 1.0;
    for _ in 0..k.abs() {
        power *= if k > 0 { 2.0 } else { 0.5 };
    }
    total * power
}

/// A double in [0, 1): the upper 53 bits of a draw.
pub fn uniform(rng: &mut Rng) -> f64 {
    (rng.next() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

/// A standard normal number, by Marsaglia's polar method (1964).
pub fn normal(rng: &mut Rng) -> f64 {
    loop {
        let u = 2.0 * uniform(rng) - 1.0;
        let v = 2.0 * uniform(rng) - 1.0;
        let square = u * u + v * v;
        if 0.0 < square && square < 1.0 {
            return u * (-2.0 * ln(square) / square).sqrt();
        }
    }
}

/// A gamma number of scale 1, by Marsaglia and Tsang (2000); shape >= 1/2.
pub fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        // G(a) = G(a + 1) * U^(1/a)
        let power = exp(ln(1.0 - uniform(rng)) / shape);
        return gamma(shape + 1.0, rng) * power;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let mut v = 1.0 + c * x;
        if v <= 0.0 {
            continue;
        }
        v = v * v * v;
        let u = 1.0 - uniform(rng); // in (0, 1]
        if ln(u) < 0.5 * x * x + d - d * v + d * ln(v) {
            return d * v;
        }
    }
}

/// A beta number: the share of one gamma number in two.
pub fn beta(a: f64, b: f64, rng: &mut Rng) -> f64 {
    let x = gamma(a, rng);
    let y = gamma(b, rng);
    x / (x + y)
}

/// The normal quantile at 1 - 1/t, t >= 2: Abramowitz and Stegun 26.2.23, error below 4.5e-4.
#[inline(always)]
pub fn upper_quantile(t: u32) -> f64 {
    let x = (2.0 * ln_of(t)).sqrt();
    let above = 2.515517 + x * (0.802853 + x * 0.010328);
    let below = 1.0 + x * (1.432788 + x * (0.189269 + x * 0.001308));
    let z = x - above / below;
    if z > 0.0 { z } else { 0.0 }
}
