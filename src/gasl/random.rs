//! Pseudo-random numbers that depend on a seed only.

/// Returns the next number of the SplitMix64 generator (Steele et al. 2014).
pub fn split_mix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Returns the numbers below `count` in an order that depends on the seed (Fisher and Yates).
pub fn shuffled(count: usize, seed: f64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut state = seed.to_bits() ^ 0x9e37_79b9_7f4a_7c15;
    for last in (1..count).rev() {
        let other = split_mix64(&mut state) % (last as u64 + 1);
        order.swap(last, other as usize);
    }
    order
}
