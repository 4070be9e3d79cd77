// Loaded before a process (`node --import`), beside movedClock.ts. From the first SIGUSR2 on, pauses of ten minutes or
// more end at once, and later ones take a second. So a sweep that runs a few times a day also runs while the clock is
// wrong. Shorter pauses stay unchanged.
const real = { set: globalThis.setTimeout, clear: globalThis.clearTimeout }
const long = 10 * 60_000
const pausing = new Map<NodeJS.Timeout, () => void>()
let hurried = false

globalThis.setTimeout = new Proxy(real.set, {
  apply: (set, self, [callback, millis, ...args]) => {
    if (!(millis >= long)) return Reflect.apply(set, self, [callback, millis, ...args])
    const goOn = () => {
      pausing.delete(timer)
      callback(...args)
    }
    const timer: NodeJS.Timeout = real.set(goOn, hurried ? 1000 : millis)
    pausing.set(timer, goOn)
    return timer
  }
})

globalThis.clearTimeout = new Proxy(real.clear, {
  apply: (clear, self, [timer]) => {
    pausing.delete(timer)
    Reflect.apply(clear, self, [timer])
  }
})

process.on("SIGUSR2", () => {
  hurried = true
  for (const [timer, goOn] of Array.from(pausing)) {
    real.clear(timer)
    goOn()
  }
})
