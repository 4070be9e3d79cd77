import { createTurma, type FetchInit, type TurmaOptions } from "../../src/sdk/index.ts"

/** A request as `fetch` gets it. */
interface SentRequest extends FetchInit {
  readonly url: string
}

/** The answer to a request: a response, or a failure to throw. */
export type Answering = (request: SentRequest, number: number) => Response | Promise<Response>

/** An answer with a JSON body. */
export const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

/** A refusal of the contract. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  answer(status, { error: { code, message: `It is ${code}` } }, headers)

/** The id of a club. */
export const clubId = "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10"

/** A token that does not occur anywhere else. */
export const token = "turma_thisisthesecret"

/** A client with these answers in place of a service. They come in order, and the last one repeats. */
export const scripted = (
  answers: ReadonlyArray<Answering | Response>,
  options: Partial<TurmaOptions> = {}
) => {
  const sent: Array<SentRequest> = []
  const turma = createTurma({
    baseUrl: "https://turma.example",
    token,
    ...options,
    fetch: async (url, init) => {
      const request = { ...init, url }
      sent.push(request)
      const next = answers[Math.min(sent.length, answers.length) - 1]
      if (next === undefined) throw new Error("no answer is left")
      return next instanceof Response ? next.clone() : next(request, sent.length)
    }
  })
  return { turma, sent }
}

/** The failure of a promise. */
export const failureOf = async (work: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (failure) {
    return failure
  }
  throw new Error("It did not fail")
}

/** All items of an iteration. */
export const collected = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}

/** Calls an operation without the types, as a program in JavaScript does. */
export const called = (turma: object, operation: string, ...args: ReadonlyArray<unknown>): PromiseLike<unknown> => {
  const [group = "", name = ""] = operation.split(".")
  return Reflect.get(Reflect.get(turma, group), name)(...args)
}
