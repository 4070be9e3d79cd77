// Loaded before a process (`node --import`): its clock is ahead by CLOCK_AHEAD milliseconds. If CLOCK_MOVES is set, it
// is ahead only between the first SIGUSR2 and the next. Timers and measured durations stay right.
const { CLOCK_AHEAD = "0", CLOCK_MOVES } = process.env
const real = Date
let ahead = CLOCK_MOVES === undefined ? Number(CLOCK_AHEAD) : 0

if (CLOCK_MOVES !== undefined) {
  process.on("SIGUSR2", () => {
    ahead = ahead === 0 ? Number(CLOCK_AHEAD) : 0
    process.stdout.write(`The clock is ahead by ${ahead} ms\n`)
  })
}

const now = () => real.now() + ahead

globalThis.Date = new Proxy(real, {
  apply: () => new real(now()).toString(),
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  get: (target, name) => name === "now" ? now : Reflect.get(target, name)
})
