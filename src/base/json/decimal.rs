//! Doubles and decimals, exactly, by long division. The standard library is faster on numbers of
//! sixteen digits and more, with tables that would be a sixth of the module.

use std::cmp::Ordering;

/// No more digits than this tell two doubles apart; of the rest it counts whether there is one.
const TELLING: usize = 800;

/// The double nearest to the digits (values, not characters) times a power of ten; infinite where
/// there is none.
pub fn nearest(digits: impl Iterator<Item = u8>, exponent: i64) -> f64 {
    let mut digits: Vec<u8> = digits.skip_while(|digit| *digit == 0).collect();
    let magnitude = exponent.saturating_add(digits.len() as i64);
    if digits.is_empty() || magnitude < -330 {
        return 0.0;
    }
    if magnitude > 310 {
        return f64::INFINITY;
    }
    let mut exponent = exponent as i32;
    if digits.len() > TELLING {
        let rest = digits.split_off(TELLING);
        exponent += rest.len() as i32 - 1;
        digits.push(u8::from(rest.iter().any(|digit| *digit != 0)));
    }
    small(&digits, exponent).unwrap_or_else(|| large(&digits, exponent))
}

/// The same where both parts of the fraction fit into 127 bits: nearly always.
fn small(digits: &[u8], exponent: i32) -> Option<f64> {
    let digit = |value: u128, digit: &u8| value.checked_mul(10)?.checked_add(u128::from(*digit));
    let value = digits.iter().try_fold(0, digit)?;
    let power = 10u128.checked_pow(exponent.unsigned_abs())?;
    let (over, under) = if exponent < 0 { (value, power) } else { (value.checked_mul(power)?, 1) };
    // The top bit stays free, so that the remainder can be doubled.
    let (shift, down) =
        (over.leading_zeros().checked_sub(1)?, under.leading_zeros().checked_sub(1)?);
    let (mut over, under) = (over << shift, under << down);
    let mut quotient = 0;
    for _ in 0..64 {
        quotient <<= 1;
        if over >= under {
            over -= under;
            quotient |= 1;
        }
        over <<= 1;
    }
    Some(round(quotient | u64::from(over != 0), down as i32 - shift as i32 - 63))
}

fn large(digits: &[u8], exponent: i32) -> f64 {
    let (mut over, mut under) = (Big(Vec::new()), Big(vec![1]));
    for digit in digits {
        over.multiply(10, u32::from(*digit));
    }
    let scaled = if exponent < 0 { &mut under } else { &mut over };
    scaled.power_of_ten(exponent.unsigned_abs());
    let bits = over.bits() - under.bits();
    if bits < 0 {
        over.double(bits.unsigned_abs())
    } else {
        under.double(bits.unsigned_abs())
    }
    let (quotient, rest) = over.divide(&under);
    round(quotient | u64::from(rest), bits - 63)
}

/// The double nearest to `quotient · 2^exponent`. The quotient has 63 bits at least; its last
/// stands for all that follow.
fn round(quotient: u64, exponent: i32) -> f64 {
    let zeros = quotient.leading_zeros();
    let (quotient, exponent) = (quotient << zeros, exponent - zeros as i32);
    let lost = -1074 - exponent;
    if lost > 11 {
        // Below the smallest normal double fewer bits are kept. The bits of such a double are its
        // multiple of the smallest double.
        let (quotient, lost) = (u128::from(quotient), lost.min(100));
        let (kept, rest) = (quotient >> lost, quotient & ((1 << lost) - 1));
        let up = match rest.cmp(&(1 << (lost - 1))) {
            Ordering::Less => 0,
            Ordering::Equal => kept & 1,
            Ordering::Greater => 1,
        };
        return f64::from_bits((kept + up) as u64);
    }
    let power = |exponent: i32| f64::from_bits(((exponent + 1023) as u64) << 52);
    quotient as f64 * power(exponent / 2) * power(exponent - exponent / 2)
}

/// The fewest digits, as a whole number, that read back as a positive double with this power of
/// ten behind them.
pub fn shortest(value: f64) -> (u64, i32) {
    let mut power = 1.0;
    for places in 0..=15 {
        let digits = (value * power).round_ties_even();
        if digits >= 1e15 {
            break;
        }
        // Both are exact, so the division rounds as reading does.
        if digits / power == value {
            return (digits as u64, -places);
        }
        power *= 10.0;
    }
    let (long, exponent, rest) = nineteen(value);
    // Fifteen digits are enough for whatever was written with no more, if it is a normal double.
    let fewest = if value < f64::MIN_POSITIVE { 1 } else { 15 };
    let length = long.ilog10() + 1;
    for count in fewest..17 {
        let scale = 10u64.pow(length - count);
        let (down, half) = (long / scale, scale / 2);
        let up = long % scale > half || (long % scale == half && (rest || down % 2 == 1));
        let near = down + u64::from(up);
        // Beside a power of two the farther decimal may read back while the nearer does not.
        for digits in [near, if up { down } else { down + 1 }] {
            let exponent = exponent + (length - count) as i32;
            if read(digits, exponent) == value {
                return without_zeros(digits, exponent);
            }
        }
    }
    let scale = 10u64.pow(length - 17);
    let up = long % scale >= scale / 2;
    without_zeros(long / scale + u64::from(up), exponent + length as i32 - 17)
}

fn read(digits: u64, exponent: i32) -> f64 {
    nearest(digits.to_string().bytes().map(|byte| byte - b'0'), i64::from(exponent))
}

fn without_zeros(mut digits: u64, mut exponent: i32) -> (u64, i32) {
    while digits != 0 && digits.is_multiple_of(10) {
        digits /= 10;
        exponent += 1;
    }
    (digits, exponent)
}

/// Eighteen or nineteen digits of a double with their power of ten, and whether more follow.
fn nineteen(value: f64) -> (u64, i32, bool) {
    let bits = value.to_bits();
    let (fraction, field) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
    let (whole, two) =
        if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    // The logarithm of two; it is near enough that there are eighteen or nineteen digits.
    let ten = ((two + 63 - whole.leading_zeros() as i32) * 30_103).div_euclid(100_000) - 17;
    let (mut over, mut under) = (Big(vec![whole as u32, (whole >> 32) as u32]), Big(vec![1]));
    let scaled = if ten < 0 { &mut over } else { &mut under };
    scaled.power_of_ten(ten.unsigned_abs());
    let scaled = if two < 0 { &mut under } else { &mut over };
    scaled.double(two.unsigned_abs());
    under.double(63);
    let (digits, rest) = over.divide(&under);
    (digits, ten, rest)
}

/// A whole number, its least significant digit first.
struct Big(Vec<u32>);

impl Big {
    fn multiply(&mut self, factor: u32, mut carry: u32) {
        for digit in &mut self.0 {
            let product = u64::from(*digit) * u64::from(factor) + u64::from(carry);
            (*digit, carry) = (product as u32, (product >> 32) as u32);
        }
        if carry != 0 {
            self.0.push(carry);
        }
    }

    fn power_of_ten(&mut self, exponent: u32) {
        for _ in 0..exponent / 9 {
            self.multiply(1_000_000_000, 0);
        }
        self.multiply(10u32.pow(exponent % 9), 0);
    }

    /// Doubles it so many times.
    fn double(&mut self, times: u32) {
        self.multiply(1 << (times % 32), 0);
        self.0.splice(..0, std::iter::repeat_n(0, times as usize / 32));
    }

    fn bits(&self) -> i32 {
        self.0.iter().zip(1..).fold(0, |bits, (digit, place)| match digit.leading_zeros() {
            32 => bits,
            zeros => place * 32 - zeros as i32,
        })
    }

    /// The first 64 bits of the quotient by a number more than half as large, and whether
    /// something is left.
    fn divide(mut self, by: &Big) -> (u64, bool) {
        let mut quotient = 0;
        for _ in 0..64 {
            quotient <<= 1;
            if self.is_below(by) {
                self.multiply(2, 0);
                continue;
            }
            quotient |= 1;
            let mut borrow = false;
            for (place, digit) in self.0.iter_mut().enumerate() {
                let (less, first) = digit.overflowing_sub(by.digit(place));
                let (less, second) = less.overflowing_sub(u32::from(borrow));
                (*digit, borrow) = (less, first || second);
            }
            self.multiply(2, 0);
        }
        (quotient, self.0.iter().any(|digit| *digit != 0))
    }

    fn is_below(&self, other: &Big) -> bool {
        let places = (0..self.0.len().max(other.0.len())).rev();
        let mut orders = places.map(|place| self.digit(place).cmp(&other.digit(place)));
        orders.find(|order| order.is_ne()) == Some(Ordering::Less)
    }

    fn digit(&self, place: usize) -> u32 {
        self.0.get(place).copied().unwrap_or(0)
    }
}
