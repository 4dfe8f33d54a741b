fn main() -> anyhow::Result<()> {
    let cli = <wasm_pack::Cli as clap::Parser>::parse();
    wasm_pack::PBAR.set_quiet(cli.quiet);
    wasm_pack::PBAR.set_log_level(cli.log_level);
    wasm_pack::command::run_wasm_pack(cli.cmd)
}
