// Loaded before a process (`node --import`): whoever would pause for ten minutes or more pauses for a second, so that what
// is swept a few times a day is swept all the time. Clocks go on as before, and so does everything that waits for less.
const real = globalThis.setTimeout
const long = 10 * 60_000

globalThis.setTimeout = new Proxy(real, {
  apply: (target, self, [callback, millis, ...args]) =>
    Reflect.apply(target, self, [callback, millis >= long ? 1000 : millis, ...args])
})
