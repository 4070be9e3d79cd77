import { Context, Effect, Exit } from "effect"

/**
 * A row that is to be written together with what it tells of: it goes along with the first statement that writes, of all
 * that run while `AlongFirstWrite` is it, in that very statement.
 */
export interface RowAlong {
  /** Inserts the row, with parameters numbered from `first` on. One function for all rows of a table. */
  readonly insert: (first: number) => string
  /** Asked when the row is sent. */
  readonly values: () => ReadonlyArray<unknown>
  /** `over`: it goes along with nothing any more. */
  state: "owed" | "written" | "over"
  /** Whether a statement has changed anything so far, beside the row. */
  hasChanged: boolean
}

/** The row that goes along with the first statement that writes; nothing goes along with statements that only read. */
export const AlongFirstWrite = Context.Reference<RowAlong | undefined>("turma/platform/sql/AlongFirstWrite", {
  defaultValue: () => undefined
})

/** A row that nobody has written yet. */
export const rowAlong = (row: Pick<RowAlong, "insert" | "values">): RowAlong => ({
  ...row,
  state: "owed",
  hasChanged: false
})

const ignored = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*[^]*?\*/)*`
const startsAsWrite = new RegExp(String.raw`^${ignored}(?:insert|update|delete|merge)\b`, "i")
const startsAsWith = new RegExp(String.raw`^${ignored}with\b${ignored}(recursive\b)?`, "i")
const locks = /\bfor\s+(?:no\s+key\s+)?update\b/gi
const writesSomewhere = /\b(?:insert\s+into|update|delete\s+from|merge\s+into)\b/i

/** Whether this is a statement that inserts, updates, deletes or merges, by its text. */
export const isWrite = (text: string): boolean =>
  startsAsWrite.test(text) || (startsAsWith.test(text) && writesSomewhere.test(text.replaceAll(locks, "")))

/**
 * The statement with the row's insert in front of it, as a part of it: both happen or neither. The row's parameters come
 * after the `count` of the statement.
 */
export const joined = (text: string, count: number, insert: RowAlong["insert"]): string => {
  const row = `written_along as (${insert(count + 1)})`
  const own = startsAsWith.exec(text)
  if (own === null) return `with ${row}\n${text}`
  return `with ${own[1] === undefined ? "" : "recursive "}${row}, ${text.slice(own[0].length)}`
}

/** Texts that are kept, of each kind of row: most are sent again and again. */
const keptTexts = 1_000

interface Looked {
  readonly isWrite: boolean
  count: number
  joined: string | undefined
}

const kinds = new WeakMap<RowAlong["insert"], Map<string, Looked>>()

const lookAt = ({ insert }: RowAlong, text: string): Looked => {
  const known = kinds.get(insert) ?? new Map<string, Looked>()
  kinds.set(insert, known)
  const before = known.get(text)
  if (before !== undefined) return before
  if (known.size >= keptTexts) known.clear()
  const looked = { isWrite: isWrite(text), count: 0, joined: undefined }
  known.set(text, looked)
  return looked
}

const joinedText = (row: RowAlong, looked: Looked, text: string, count: number) => {
  if (looked.joined === undefined || looked.count !== count) {
    looked.count = count
    looked.joined = joined(text, count, row.insert)
  }
  return looked.joined
}

const savepoint = /^(savepoint|release savepoint|rollback to savepoint) \D*(\d+)$/

/** What is rolled back of a transaction on one connection: rows that went along with what is undone are owed again. */
export interface Undoing {
  /** A row has gone along, as deep in savepoints as this transaction is now. */
  readonly went: (row: RowAlong) => void
  /** Before a statement that begins or ends a savepoint, or rolls back, by its text. */
  readonly control: (text: string) => void
  /** Nothing of the transaction stays. */
  readonly all: () => void
}

const owe = (row: RowAlong) => {
  if (row.state === "written") row.state = "owed"
  row.hasChanged = false
}

/** For a transaction's connection. Savepoints are named with how deep they are, `rollback` is the whole transaction. */
export const undoing = (): Undoing => {
  let rows: Array<{ readonly row: RowAlong; depth: number }> = []
  let depth = 0

  const undo = (from: number) => {
    for (const gone of rows.filter((went) => went.depth >= from)) owe(gone.row)
    rows = rows.filter((went) => went.depth < from)
  }
  const all = () => undo(0)
  const control = (text: string) => {
    if (text === "rollback") return all()
    const found = savepoint.exec(text)
    if (found === null) return
    const named = Number(found[2])
    depth = found[1] === "savepoint" ? named : named - 1
    if (found[1] === "rollback to savepoint") undo(named)
    for (const went of rows) went.depth = Math.min(went.depth, depth)
  }
  return { went: (row) => void rows.push({ row, depth }), control, all }
}

type Run<A, E> = (text: string, params: ReadonlyArray<unknown>) => Effect.Effect<A, E>

const without = <A, E>(row: RowAlong, run: Effect.Effect<A, E>, changed: (answer: A) => boolean) =>
  Effect.tap(run, (answer) =>
    Effect.sync(() => {
      row.hasChanged ||= changed(answer)
    }))

/**
 * Runs a statement, with the row that is to go along with it, if there is one and the statement writes. Of several at once
 * one takes the row; if that one fails, the row is owed again. `changed`: whether the answer tells of a changed row. `undo`:
 * of the transaction that the statement is in.
 */
export const alongWith = <A, E>(
  text: string,
  params: ReadonlyArray<unknown>,
  run: Run<A, E>,
  changed: (answer: A) => boolean,
  undo: Undoing | undefined
): Effect.Effect<A, E> =>
  Effect.withFiber((fiber) => {
    undo?.control(text)
    const row = fiber.getRef(AlongFirstWrite)
    if (row === undefined || row.state === "over") return run(text, params)
    const looked = lookAt(row, text)
    if (!looked.isWrite) return run(text, params)
    if (row.state === "written") return without(row, run(text, params), changed)
    row.state = "written"
    undo?.went(row)
    const both = run(joinedText(row, looked, text, params.length), [...params, ...row.values()])
    return Effect.onExit(without(row, both, changed), (exit) =>
      Effect.sync(() => {
        if (Exit.isFailure(exit)) owe(row)
      }))
  })
