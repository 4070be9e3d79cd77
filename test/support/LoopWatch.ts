import { createServer } from "node:http"

// Preloaded into a process of the service: measures how long its event loop is held. `GET /` on `LOOP_WATCH_PORT` answers
// with the longest turn of the loop since it was last asked, in milliseconds of the thread's processor time, which a busy
// machine does not lengthen, and measures until it is asked again.

const spent = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

let longest = 0
let before = spent()

const turn = () => {
  const now = spent()
  longest = Math.max(longest, now - before)
  before = now
  setImmediate(turn)
}

createServer((_, response) => {
  response.end(JSON.stringify({ longest }))
  longest = 0
  before = spent()
}).listen(Number(process.env["LOOP_WATCH_PORT"]), "127.0.0.1").unref()

turn()
