// A snapping mechanism in Rust, without any crate, and how to have it checked:
//
//     rustc -O snapping.rs
//     snapref crosscheck --command ./snapping --require release
//
// Its logarithm is the platform's, which is not correctly rounded. So it does not offer `log` and `snap`, and the
// verdict says that these were not checked.

use std::fs::File;
use std::io::{self, BufRead, Read, Write};

const ETA: f64 = 1.0 / 9007199254740992.0; // 2**-53

type Answer<T> = Result<T, &'static str>;

fn need(condition: bool, message: &'static str) -> Answer<()> {
    if condition { Ok(()) } else { Err(message) }
}

/// The smallest power of two that is at least `scale`, read off its bits.
fn lattice(scale: f64) -> Answer<f64> {
    need(scale > 0.0 && scale.is_finite(), "scale must be positive and finite")?;
    let bits = scale.to_bits();
    let (field, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    if field == 0 {
        return Ok(f64::from_bits(fraction.next_power_of_two())); // subnormal: the pattern is the number
    }
    Ok(f64::from_bits((field + u64::from(fraction != 0)) << 52))
}

fn round(x: f64, lattice: f64) -> Answer<f64> {
    need(x.is_finite() && lattice > 0.0 && lattice.is_finite(), "x and lattice must be finite")?;
    let quotient = x / lattice; // exact, or too large to have a fraction, or far below 1/2
    if quotient.abs() >= 4503599627370496.0 {
        return Ok(x);
    }
    let below = quotient.floor();
    Ok((if quotient - below >= 0.5 { below + 1.0 } else { below }) * lattice + 0.0)
}

fn clamp(x: f64, bound: f64) -> Answer<f64> {
    need(!x.is_nan() && bound >= 0.0 && bound.is_finite(), "x is NaN, or bound is not a finite number of at least 0")?;
    Ok(x.clamp(-bound, bound))
}

fn uniform(exponent: u64, mantissa: u64) -> f64 {
    if exponent <= 1022 {
        return f64::from_bits((1023 - exponent) << 52 | mantissa);
    }
    let cut = exponent - 1022; // bits below the grid of subnormals
    let significand = if cut > 52 { 0 } else { (mantissa | 1 << 52) >> cut };
    f64::from_bits(significand.max(1))
}

fn inner_epsilon(epsilon: f64, bound: f64, sensitivity: f64) -> Answer<f64> {
    need(epsilon > 2.0 * ETA && epsilon.is_finite(), "epsilon must exceed 2**-52 and be finite")?;
    need(bound > 0.0 && bound.is_finite(), "bound must be positive and finite")?;
    need(sensitivity > 0.0 && sensitivity.is_finite(), "sensitivity must be positive and finite")?;
    Ok((epsilon - 2.0 * ETA) / (1.0 + 12.0 * (bound / sensitivity) * ETA) * (1.0 - 8.0 * ETA)) // down, to be safe
}

struct Generator(File);

impl Generator {
    fn word(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.0.read_exact(&mut bytes).expect("/dev/urandom");
        u64::from_le_bytes(bytes)
    }

    /// k with probability 2**-k.
    fn geometric(&mut self) -> u64 {
        let mut exponent = 1;
        loop {
            let coins = self.word();
            if coins != 0 {
                return exponent + u64::from(coins.leading_zeros());
            }
            exponent += 64;
        }
    }
}

fn release(rng: &mut Generator, value: f64, epsilon: f64, bound: f64, sensitivity: f64) -> Answer<f64> {
    let scale = sensitivity / inner_epsilon(epsilon, bound, sensitivity)? * (1.0 + 4.0 * ETA);
    // beyond 353, a U* that is a double ends too early
    need(scale <= bound && bound <= 353.0 * scale, "bound must be between the scale and 353 times the scale")?;
    let word = rng.word();
    let sign = if word & 1 == 1 { 1.0 } else { -1.0 };
    let noise = sign * scale * uniform(rng.geometric(), word >> 12).ln();
    clamp(round(clamp(value, bound)? + noise, lattice(scale)?)?, bound)
}

// The protocol -------------------------------------------------------------------------------------------------------

/// The text of one field of a request. Requests are flat: no value holds a comma or a brace.
fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let key = format!("\"{name}\":");
    let rest = &line[line.find(&key).expect("a field is missing") + key.len()..];
    rest[..rest.find([',', '}']).unwrap_or(rest.len())].trim().trim_matches('"')
}

/// A C99 hex float, as the checker writes it: 0x1.8000000000000p+1, inf, -inf, nan.
fn number(line: &str, name: &str) -> f64 {
    let text = field(line, name);
    let Some((mantissa, exponent)) = text.split_once('p') else {
        return text.parse().expect("a float"); // inf, -inf, nan
    };
    let (negative, digits) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa),
    };
    let (whole, fraction) = digits[2..].split_once('.').unwrap_or((&digits[2..], ""));
    let significand = u64::from_str_radix(&format!("{whole}{fraction}"), 16).expect("hex digits");
    let mut exponent = exponent.parse::<i32>().expect("an exponent") - 4 * fraction.len() as i32;
    let mut x = significand as f64; // at most 53 bits: exact
    while exponent > 0 {
        let step = exponent.min(1000);
        x *= 2f64.powi(step);
        exponent -= step;
    }
    while exponent < 0 {
        let step = (-exponent).min(1000);
        x /= 2f64.powi(step);
        exponent += step;
    }
    if negative { -x } else { x }
}

fn hex(x: f64) -> String {
    if !x.is_finite() {
        return if x.is_nan() { "\"nan\"".into() } else if x > 0.0 { "\"inf\"".into() } else { "\"-inf\"".into() };
    }
    let bits = x.to_bits();
    let (sign, field, fraction) = (if bits >> 63 == 1 { "-" } else { "" }, bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let (first, exponent) = if field == 0 { (0, -1022) } else { (1, field as i64 - 1023) };
    format!("\"{sign}0x{first}.{fraction:013x}p{exponent:+}\"")
}

fn answer(rng: &mut Generator, line: &str) -> Answer<String> {
    let arg = |name: &str| number(line, name);
    let whole = |name: &str| field(line, name).parse::<u64>().expect("a whole number");
    let result = match field(line, "op") {
        "describe" => return Ok("\"name\": \"the Rust example\"".into()),
        "lattice" => lattice(arg("scale"))?,
        "round" => round(arg("x"), arg("lattice"))?,
        "clamp" => clamp(arg("x"), arg("bound"))?,
        "uniform" => uniform(whole("exponent"), whole("mantissa")),
        "inner_epsilon" => inner_epsilon(arg("epsilon"), arg("bound"), arg("sensitivity"))?,
        "release" => {
            let (value, epsilon) = (arg("value"), arg("epsilon"));
            let (bound, sensitivity) = (arg("bound"), arg("sensitivity"));
            let results: Answer<Vec<String>> =
                (0..whole("count")).map(|_| release(rng, value, epsilon, bound, sensitivity).map(hex)).collect();
            return Ok(format!("\"results\": [{}]", results?.join(", ")));
        }
        _ => return Ok("\"unsupported\": true".into()),
    };
    Ok(format!("\"result\": {}", hex(result)))
}

fn main() {
    let mut rng = Generator(File::open("/dev/urandom").expect("/dev/urandom"));
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line");
        let told = answer(&mut rng, &line).unwrap_or_else(|refusal| format!("\"error\": \"{refusal}\""));
        writeln!(out, "{{\"id\": {}, {told}}}", field(&line, "id")).and_then(|()| out.flush()).expect("a reader");
    }
}
