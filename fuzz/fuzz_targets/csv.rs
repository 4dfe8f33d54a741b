#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| byname_fuzz::graph_text::check_csv(data));
