// The program that the supervisor starts: the service, as one of several processes. Node keeps the compiled code of
// modules after this import.
await import("./keepCompiled.js")
// Before any schema is built: a bundle loads shared modules in an order of its own.
await import("effect/schema/SchemaJITCompiler/enable")
const { supervised } = await import("./processes/supervised.ts")
const { runMain } = await import("./runMain.ts")
const { serve } = await import("./serve.ts")
runMain(supervised(serve, process.argv[3]))
