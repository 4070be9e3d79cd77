// The ceiling: signs and posts, and records nothing.
import { randomUUIDv7 } from "node:crypto"
import { concurrency } from "./limits.ts"
import { carryOut, given } from "./orders.ts"
import { post } from "./post.ts"

const urls: ReadonlyArray<string> = JSON.parse(given("URLS"))
const body = given("BODY")

let left = 0

async function* posts(url: string) {
  while (left > 0) {
    left -= 1
    yield post(url, randomUUIDv7(), body)
  }
}

const keepPosting = async (_: unknown, loop: number) => {
  for await (const { status } of posts(urls[loop % urls.length] ?? "")) {
    if (status !== 200) throw new Error(`Answered ${status}`)
  }
}

const send = async (count: number) => {
  left = count
  await Promise.all(Array.from({ length: concurrency }, keepPosting))
}

await carryOut("ready", { send })
process.exit()
