// First, since Node keeps what it compiles of modules that are loaded after this one: the next start is then shorter.
await import("./cli/keepCompiled.js")
// Before any schema is built: a bundle loads shared modules in an order of its own.
await import("effect/schema/SchemaJITCompiler/enable")
const { runMain } = await import("./cli/runMain.ts")
const { start } = await import("./cli/start.ts")
runMain(start)
