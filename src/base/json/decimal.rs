//! Doubles and decimals, exactly, by division. The standard library uses tables instead, which would be a
//! sixth of the module. Of what doubles are written as, nearly all takes one division ([`quick`]), and of the
//! rest nearly all two multiplications ([`product`]).

use super::powers::{UNSURE, product};
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
    // As many as have room in 64 bits; the rest is less than one of the last of them.
    let (first, rest) = digits.split_at(digits.len().min(19));
    let value = first.iter().fold(0, |sum, digit| sum * 10 + u64::from(*digit));
    let open = rest.iter().any(|digit| *digit != 0);
    if let Some(near) = near(value, exponent + rest.len() as i32, open) {
        return near;
    }
    if digits.len() > TELLING {
        let rest = digits.split_off(TELLING);
        exponent += rest.len() as i32 - 1;
        digits.push(u8::from(rest.iter().any(|digit| *digit != 0)));
    }
    large(&digits, exponent)
}

/// The same for a whole number, where that can be told with no more than 128 bits, as nearly always.
pub fn quick(value: u64, exponent: i32) -> Option<f64> {
    /// Powers of ten up to this one have 64 bits.
    const MOST: u32 = 19;
    let size = exponent.unsigned_abs();
    if value == 0 {
        return Some(0.0);
    }
    if size > if exponent < 0 { 2 * MOST } else { MOST } {
        return near(value, exponent, false);
    }
    if value >> 53 == 0 && size <= MOST {
        // Both are exact, so there is one rounding.
        let (value, power) = (value as f64, 10u64.pow(size) as f64);
        return Some(if exponent < 0 { value / power } else { value * power });
    }
    if exponent >= 0 {
        let product = u128::from(value) * u128::from(10u64.pow(size));
        let shift = product.leading_zeros();
        let shifted = product << shift;
        let rest = shifted as u64 != 0;
        return Some(round((shifted >> 64) as u64 | u64::from(rest), 64 - shift as i32));
    }
    let shift = value.leading_zeros();
    // Its top bit is set, and the number is this much times `2^scale`, and more where there is a rest.
    let (mut over, mut scale, mut has_rest) =
        (u128::from(value << shift) << 64, -64 - shift as i32, false);
    let mut left = size;
    // The second time what the first has left is only noted, not divided: it is less than 2^-126 of the
    // number, and no number of 64 bits over 10^20 to 10^38 is that near to half-way between two doubles.
    while left > 0 {
        let power = 10u64.pow(left.min(MOST));
        left -= left.min(MOST);
        let down = power.leading_zeros();
        let under = power << down;
        let (high, rest) = divide((over >> 65) as u64, (over >> 1) as u64, under);
        let (low, rest) = divide(rest, (over as u64) << 63, under);
        has_rest |= rest != 0;
        over = u128::from(high) << 64 | u128::from(low);
        let shift = over.leading_zeros();
        over <<= shift;
        scale += down as i32 - 63 - shift as i32;
    }
    let has_rest = has_rest || over as u64 != 0;
    Some(round((over >> 64) as u64 | u64::from(has_rest), scale + 64))
}

/// The double nearest to a number, or where it is `open` to any from it to the next one, times a power of ten.
/// Nothing where that needs more bits.
fn near(value: u64, exponent: i32, open: bool) -> Option<f64> {
    let shift = value.leading_zeros();
    let found = product(value << shift, exponent)?;
    let next = if open { (found.least >> value.ilog2()) + 1 } else { 0 };
    let most = found.least.checked_add(UNSURE + next)?;
    let double = |bits: u128| {
        let rest = bits as u64 != 0;
        round((bits >> 64) as u64 | u64::from(rest), found.scale + 64 - shift as i32)
    };
    let least = double(found.least);
    (least == double(most)).then_some(least)
}

/// Divides a number of 128 bits, its upper half first, by one that has its top bit set and is larger than
/// that half: the quotient and the remainder. (Knuth's algorithm D, with digits of 32 bits.)
fn divide(high: u64, low: u64, by: u64) -> (u64, u64) {
    let (upper, lower) = (by >> 32, by & 0xffff_ffff);
    // The next digit and the remainder. What the upper half of the divisor tells is at most two too large.
    let step = |rest: u64, next: u64| {
        let mut digit = rest / upper;
        let mut left = rest - digit * upper;
        while digit >> 32 != 0 || digit * lower > (left << 32 | next) {
            digit -= 1;
            left += upper;
            if left >> 32 != 0 {
                break;
            }
        }
        (digit, (rest << 32 | next).wrapping_sub(digit.wrapping_mul(by)))
    };
    let (first, rest) = step(high, low >> 32);
    let (second, rest) = step(rest, low & 0xffff_ffff);
    (first << 32 | second, rest)
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
    // What people write has few of them.
    const PLACES: i32 = 4;
    let mut power = 1.0;
    for places in 0..=PLACES {
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
    let slowly = || nearest(digits.to_string().bytes().map(|byte| byte - b'0'), exponent.into());
    quick(digits, exponent).unwrap_or_else(slowly)
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
    // With so many places less, both the product and what is shifted out of it fit into 128 bits.
    if (-22..=0).contains(&ten) && (-127..=0).contains(&two) {
        let product = u128::from(whole) * 10u128.pow(ten.unsigned_abs());
        let digits = (product >> two.unsigned_abs()) as u64;
        return (digits, ten, product & ((1 << two.unsigned_abs()) - 1) != 0);
    }
    if let Some(found) = product(whole << whole.leading_zeros(), -ten) {
        let shift = whole.leading_zeros() as i32 - found.scale - two;
        let rest = found.least & ((1 << shift) - 1);
        // Where that may carry, or there may be none, it has to be known.
        if rest != 0 && rest + UNSURE < 1 << shift {
            return ((found.least >> shift) as u64, ten, true);
        }
    }
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
