// Loaded before a process (`node --import`): turns every pause of a minute into a pause of a second. So a worker looks
// for a due backup while a test waits for it.
const set = globalThis.setTimeout
const minute = 60_000

globalThis.setTimeout = new Proxy(set, {
  apply: (target, self, [callback, millis, ...args]) =>
    Reflect.apply(target, self, [callback, millis === minute ? 1000 : millis, ...args])
})
