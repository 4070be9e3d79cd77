import { createHash } from "node:crypto"

// The facts that a file `NNNN_what.sql` states about itself, in comments of its head. Rules only: an author of a file
// reads migrations/README.md.

/** How a file is run: in one transaction, as one statement outside of any, or as one that is repeated for a batch each. */
type Running = "transaction" | "alone" | "batches"

/** A file of the folder. */
export interface MigrationFile {
  readonly id: number
  readonly name: string
  readonly file: string
  readonly script: string
  /** SHA-256 of the file, in hexadecimal. */
  readonly checksum: string
  readonly running: Running
  /** The last migration that a program has to know to run beside this one: this one itself, unless the file says so. */
  readonly beside: number
}

/** An index that is created or dropped while the table takes writes. */
export interface IndexStatement {
  readonly does: "create" | "drop"
  readonly index: string
  /** The start of the statement, `create index` or `create unique index`. The table and the rest follow. */
  readonly begins: string
  readonly table: string
  readonly rest: string
}

const named = /^(?<id>\d{4})_(?<name>\w+)\.sql$/
const headLine = /^-- (?<word>beside|run):(?<value>.*)$/gm
const isRunning = (value: string): value is Running => ["transaction", "alone", "batches"].includes(value)

const withoutComments = (script: string) => script.replaceAll(/^\s*--.*$/gm, "").trim().replace(/;$/, "").trim()

const created =
  /^(?<begins>create(?: unique)? index) concurrently if not exists (?<index>[a-z]\w{0,62}) on (?<table>[a-z]\w{0,62})\s*(?<rest>[^;]+)$/
const dropped = /^drop index concurrently if exists (?<index>[a-z]\w{0,62})$/

/**
 * The index that the one statement of a file creates or drops; undefined for another statement. Such a file runs alone.
 */
export const indexStatement = (script: string): IndexStatement | undefined => {
  const statement = withoutComments(script).replaceAll(/\s+/g, " ")
  const [creates, drops] = [created.exec(statement)?.groups, dropped.exec(statement)?.groups]
  const { begins = "", index = "", rest = "", table = "" } = creates ?? drops ?? {}
  if (creates !== undefined) return { does: "create", begins, index, table, rest }
  return drops === undefined ? undefined : { does: "drop", begins, index, table, rest }
}

/** The statement of a file whose statement is repeated, without what ends it. */
export const batchStatement = (script: string): string => withoutComments(script)

/** The script as it runs in a transaction whose tables nobody else knows: an index is then made at once. */
export const inTransaction = ({ running, script }: Pick<MigrationFile, "running" | "script">): string =>
  running === "alone" ? script.replace(/ concurrently if /, " if ") : script

/** Reads a file. If it is not a migration, answers its fault in words that follow the file's name. */
export const readMigration = (file: string, script: string): MigrationFile | string => {
  const match = named.exec(file)
  if (match?.groups === undefined) return "is not named like 0001_what.sql"
  const id = Number(match.groups["id"])
  const head = [...script.matchAll(headLine)].map(({ groups }) => [groups?.["word"], groups?.["value"]?.trim() ?? ""])
  const [besides, runs] = ["beside", "run"].map((word) =>
    head.filter(([own]) => own === word).map(([, value]) => value)
  )
  if ((besides?.length ?? 0) > 1 || (runs?.length ?? 0) > 1) return "says \"beside\" or \"run\" twice"
  const beside = besides?.[0] ?? match.groups["id"] ?? ""
  if (!/^\d{4}$/.test(beside) || Number(beside) > id) return "has to name an earlier migration after \"beside:\""
  const running = runs?.[0] ?? "transaction"
  if (!isRunning(running)) return "has to say transaction, alone or batches after \"run:\""
  if (running === "alone" && indexStatement(script) === undefined) {
    return "has to be one \"create index concurrently if not exists\" or \"drop index concurrently if exists\" to run alone"
  }
  if (running === "batches" && !/\breturning\b/i.test(withoutComments(script))) {
    return "has to return the rows that it changed, to run in batches until there is none"
  }
  const checksum = createHash("sha256").update(script).digest("hex")
  return { id, name: match.groups["name"] ?? "", file, script, checksum, running, beside: Number(beside) }
}
