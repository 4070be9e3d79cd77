// Loaded before a process (`node --import`): whoever pauses for a minute pauses for a second. So a worker looks whether a
// backup is due while a test waits for it.
const set = globalThis.setTimeout
const minute = 60_000

globalThis.setTimeout = new Proxy(set, {
  apply: (target, self, [callback, millis, ...args]) =>
    Reflect.apply(target, self, [callback, millis === minute ? 1000 : millis, ...args])
})
