//! Products with powers of ten, to 128 bits: enough for nearly every decimal and double, whose last bit the
//! rest seldom decides. Where it does, whoever asks has to divide.

/// The powers of five with so many steps between.
const STEP: i32 = 27;
/// The place of the power that is one.
const ONE: i32 = 13;
/// The first 128 bits of 5^-351, 5^-324, …, 5^324.
const POWERS: [u128; 26] = [
    0x8049a4ac_0c5811ae_205b896d_777d6278,
    0xcf42894a_5dce35ea_52064cac_828675b9,
    0xa76c5823_38ed2621_af2af2b8_0af6f24e,
    0x873e4f75_e2224e68_5a7744a6_e804a291,
    0xda7f5bf5_90966848_af39a475_506a899e,
    0xb080392c_c4349dec_bd8d794d_96aacfb3,
    0x8e938662_882af53e_547eb47b_7282ee9c,
    0xe65829b3_046b0afa_0cb4a5a3_112a5112,
    0xba121a46_50e4ddeb_92f34d62_616ce413,
    0x964e858c_91ba2655_3a6a07f8_d510f86f,
    0xf2d56790_ab41c2a2_fae27299_423fb9c3,
    0xc428d05a_a4751e4c_aa97e14c_3c26b886,
    0x9e74d1b7_91e07e48_775ea264_cf55347d,
    0x80000000_00000000_00000000_00000000,
    0xcecb8f27_f4200f3a_00000000_00000000,
    0xa70c3c40_a64e6c51_999090b6_5f67d924,
    0x86f0ac99_b4e8dafd_69a028bb_3ded71a3,
    0xda01ee64_1a708de9_e80e6f48_20cc9495,
    0xb01ae745_b101e9e4_5ec05dcf_f72e7f8f,
    0x8e41ade9_fbebc27d_14588f13_be847307,
    0xe5d3ef28_2a242e81_8f1668c8_a86da5fa,
    0xb9a74a06_37ce2ee1_6d953e2b_d7173692,
    0x95f83d0a_1fb69cd9_4abdaf10_1564f98e,
    0xf24a01a7_3cf2dccf_bc633b39_673c8cec,
    0xc3b83581_09e84f07_0a862f80_ec4700c8,
    0x9e19db92_b4e31ba9_6c07a2c2_6a8346d1,
];

/// So much more than [`Product::least`] a product may be, or exactly that.
pub const UNSURE: u128 = 5;

/// A number times a power of ten: `least · 2^scale`, or up to [`UNSURE`] more of its last bit.
pub struct Product {
    /// It has 127 bits or 128.
    pub least: u128,
    pub scale: i32,
}

/// The product of a number with its top bit set and a power of ten.
pub fn product(number: u64, exponent: i32) -> Option<Product> {
    let base = *POWERS.get(usize::try_from(exponent.div_euclid(STEP) + ONE).ok()?)?;
    let small = 5u64.pow(exponent.rem_euclid(STEP) as u32);
    let power = upper(base, small << small.leading_zeros());
    let power = power << power.leading_zeros();
    // The logarithm of two, to as many places as these exponents need.
    let scale = ((exponent * 217_706) >> 16) - 127;
    Some(Product { least: upper(power, number), scale: scale + 64 })
}

/// The first 128 bits of a product of 192.
fn upper(a: u128, b: u64) -> u128 {
    let (high, low) = (a >> 64, u128::from(a as u64));
    high * u128::from(b) + ((low * u128::from(b)) >> 64)
}
