fn main() -> anyhow::Result<()> {
    wasm_pack::command::run_wasm_pack(<wasm_pack::Cli as clap::Parser>::parse().cmd)
}
