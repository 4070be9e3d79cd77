// What the supervisor starts: the service, as one of several processes. What is loaded after this import is kept compiled.
await import("./keepCompiled.js")
const { supervised } = await import("./processes/supervised.ts")
const { runMain } = await import("./runMain.ts")
const { serve } = await import("./serve.ts")
runMain(supervised(serve))
