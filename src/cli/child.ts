// What the supervisor starts: the service, as one of several processes. What is loaded after this import is kept compiled.
await import("./keepCompiled.js")
// Before any schema is made: a bundle loads what modules share in an order of its own.
await import("effect/schema/SchemaJITCompiler/enable")
const { supervised } = await import("./processes/supervised.ts")
const { runMain } = await import("./runMain.ts")
const { serve } = await import("./serve.ts")
runMain(supervised(serve, process.argv[3]))
