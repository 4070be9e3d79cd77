import { TurmaError } from "../errors/TurmaError.ts"

/** A page of any list. */
interface AnyPage {
  readonly data: unknown
  readonly next_cursor?: string | null
}

/** The items of an answer; undefined if it is not a page. */
const itemsOf = (answer: unknown): ReadonlyArray<unknown> | undefined => {
  const data = typeof answer === "object" && answer !== null && "data" in answer ? answer.data : undefined
  const items = typeof data === "object" && data !== null && "entries" in data && !Array.isArray(data)
    ? data.entries
    : data
  return Array.isArray(items) ? items : undefined
}

const isPage = (answer: unknown): answer is AnyPage => itemsOf(answer) !== undefined

/** Any list, as `Listed` has those of the contract. */
interface AnyList extends Promise<AnyPage>, AsyncIterable<unknown> {
  readonly pages: () => AsyncIterableIterator<AnyPage>
}

/** The list whose pages `read` answers: the first without a cursor, each next by that of the page before. */
export const listed = (read: (cursor: string | undefined) => Promise<unknown>): AnyList => {
  const page = async (cursor: string | undefined) => {
    const answer = await read(cursor)
    if (isPage(answer)) return answer
    throw new TurmaError({ code: "unexpected_answer", message: "The answer is not a page of a list" })
  }
  async function* pages() {
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const next = await page(cursor)
      yield next
      cursor = next.next_cursor ?? undefined
      if (cursor !== undefined && seen.has(cursor)) {
        const message = "The list goes round in circles: a page has the cursor of one before"
        throw new TurmaError({ code: "cursor_repeated", message })
      }
      if (cursor !== undefined) seen.add(cursor)
    } while (cursor !== undefined)
  }
  async function* items() {
    for await (const one of pages()) yield* itemsOf(one) ?? []
  }
  // A loop over the items needs no separate request for the first page.
  let first: Promise<AnyPage> | undefined
  const asked = () => (first ??= page(undefined))
  return {
    then: (whenDone, whenFailed) => asked().then(whenDone, whenFailed),
    catch: (whenFailed) => asked().catch(whenFailed),
    finally: (whenEnded) => asked().finally(whenEnded),
    [Symbol.toStringTag]: "Listed",
    [Symbol.asyncIterator]: items,
    pages
  }
}
