#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| byname_fuzz::gasl_rows::check(data));
