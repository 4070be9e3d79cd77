import { Result, Schema, type SchemaAST, type SchemaIssue } from "effect"
import { nameOf, nearest, type Path } from "./Names.ts"
import { refusedBy, sentFor, wrongKind } from "./Wording.ts"

/** One thing that is wrong: where, and what its sentence says of that place. */
export interface Fault {
  readonly path: Path
  readonly says: string
  /** The place is one that nobody knows. */
  readonly unknown?: boolean
}

/** Some of what is wrong with a value. */
export interface Faults {
  /** Up to as many as are named. */
  readonly named: ReadonlyArray<Fault>
  /** Number of further faults. Undefined if not everything was looked at. */
  readonly more: number | undefined
}

/** How it was sent, which decides what its parts are called. */
export type Source = "body" | "query"

/** In words: no message has more. */
const mostNamed = 10

/** The most values looked at for one message, and again for checks of a whole. A body may have 20,000. */
const mostVisits = 1000

const options = { errors: "first", onExcessProperty: "error" } as const

const required = "is required"

/** The fault of a key that no schema declares. */
const unknownKey = (source: Source, key: PropertyKey, known: ReadonlyArray<string>) => {
  const meant = typeof key === "string" ? nearest(key, known) : undefined
  const kind = source === "query" ? "parameter" : "field"
  return `is not a known ${kind}${meant === undefined ? "" : `; did you mean \`${meant}\`?`}`
}

const namesIn = ({ propertySignatures }: SchemaAST.Objects) =>
  propertySignatures.flatMap(({ name }) => typeof name === "string" ? [name] : [])

const issueOf = (ast: SchemaAST.AST, value: unknown): SchemaIssue.Issue | undefined => {
  const read = Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(ast), options)(value)
  return Result.isFailure(read) ? read.failure.issue : undefined
}

const saidBy = (issue: SchemaIssue.Issue): string | undefined =>
  issue._tag === "InvalidValue" ? issue.annotations?.message ?? asText(issue.annotations?.expected) : undefined

const asText = (words: unknown) => typeof words === "string" ? words : undefined

const lengthOf = (value: unknown) => typeof value === "string" || Array.isArray(value) ? value.length : undefined

/**
 * The fault that an issue is about: the first, where it is about several. `owner` is the node that refused the value, and
 * `value` what was sent for it, where that is known.
 */
export const faultOf = (
  issue: SchemaIssue.Issue,
  source: Source = "body",
  path: Path = [],
  owner?: SchemaAST.AST,
  value?: unknown
): Fault => {
  switch (issue._tag) {
    case "Pointer":
      return faultOf(issue.issue, source, [...path, ...issue.path])
    case "Encoding":
      return faultOf(issue.issue, source, path, owner ?? issue.ast, value)
    case "Composite":
      return faultOf(issue.issues[0], source, path, owner ?? issue.ast, value)
    case "AnyOf": {
      const [only, another] = issue.issues
      if (only !== undefined && another === undefined) return faultOf(only, source, path, owner ?? issue.ast, value)
      return { path, says: wrongKind(owner ?? issue.ast) }
    }
    case "Filter": {
      const { issue: inner, filter } = issue
      if (inner._tag === "Pointer") {
        return { path: [...path, ...inner.path], says: refusedBy(owner ?? noNode, filter, saidBy(inner.issue)) }
      }
      return { path, says: refusedBy(owner ?? noNode, filter, saidBy(inner), lengthOf(value)) }
    }
    case "MissingKey":
      return { path, says: required }
    case "UnexpectedKey": {
      const known = issue.ast._tag === "Objects" ? namesIn(issue.ast) : []
      return { path, says: unknownKey(source, path.at(-1) ?? "", known), unknown: true }
    }
    case "InvalidType":
    case "OneOf":
      return { path, says: wrongKind(owner ?? issue.ast) }
    default:
      return { path, says: owner === undefined ? "must be something else" : wrongKind(owner) }
  }
}

const noNode = Schema.Unknown.ast

/** The faults found in one value, and the number of values that may still be looked at for it. */
interface Walk {
  readonly source: Source
  readonly named: Array<Fault>
  visits: number
  again: number
  found: number
  /** True if something was not looked at. */
  isCut: boolean
}

/** True if one more value may be looked at. */
const mayVisit = (walk: Walk) => {
  if (walk.visits === 0) walk.isCut = true
  else walk.visits -= 1
  return !walk.isCut
}

const add = (walk: Walk, fault: Fault) => {
  walk.found += 1
  if (walk.named.length < mostNamed) walk.named.push(fault)
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isOptional = (ast: SchemaAST.AST) => sentFor(ast).context?.isOptional === true

const inObject = (walk: Walk, ast: SchemaAST.Objects, value: { readonly [key: string]: unknown }, path: Path) => {
  const known = new Set<string>()
  for (const { name, type } of ast.propertySignatures) {
    if (typeof name !== "string") continue
    known.add(name)
    if (Object.hasOwn(value, name)) inValue(walk, type, value[name], [...path, name])
    else if (!isOptional(type)) add(walk, { path: [...path, name], says: required })
  }
  if (ast.indexSignatures.some(({ type }) => type._tag !== "Never")) return
  const missing = [...known].filter((name) => !Object.hasOwn(value, name))
  for (const key of Object.keys(value)) {
    if (known.has(key)) continue
    if (!mayVisit(walk)) return
    const says = walk.named.length < mostNamed ? unknownKey(walk.source, key, missing) : ""
    add(walk, { path: [...path, key], says, unknown: true })
  }
}

const inList = (walk: Walk, ast: SchemaAST.Arrays, value: ReadonlyArray<unknown>, path: Path) => {
  for (const [index, item] of value.entries()) {
    const type = ast.elements[index] ?? ast.rest[0]
    if (type === undefined || walk.isCut) return
    inValue(walk, type, item, [...path, index])
  }
}

/** The choices that a member of a union leaves for this key; empty if it takes, for example, any text. */
const choicesAt = (member: SchemaAST.Objects, key: string): ReadonlyArray<unknown> => {
  const property = member.propertySignatures.find(({ name }) => name === key)
  if (property === undefined) return []
  const sent = sentFor(property.type)
  const types = sent._tag === "Union" ? sent.types.map(sentFor) : [sent]
  const literals = types.flatMap((type) => type._tag === "Literal" ? [type.literal] : [])
  return literals.length === types.length ? literals : []
}

/** The key by which one tells the objects of a union apart. */
const distinctiveKey = (members: ReadonlyArray<SchemaAST.Objects>) =>
  members.flatMap(namesIn).find((key) => members.every((member) => choicesAt(member, key).length > 0))

const inObjectUnion = (
  walk: Walk,
  members: ReadonlyArray<SchemaAST.Objects>,
  value: { readonly [key: string]: unknown },
  path: Path
) => {
  const key = distinctiveKey(members)
  if (key !== undefined) {
    const member = members.find((member) => choicesAt(member, key).includes(value[key]))
    if (member !== undefined) return inValue(walk, member, value, path)
    const choices = Schema.Literals(members.flatMap((member) => choicesAt(member, key)).map(String))
    return add(walk, { path: [...path, key], says: Object.hasOwn(value, key) ? wrongKind(choices.ast) : required })
  }
  // The member with the fewest faults is the one that the client meant.
  const tries = members.map((member) => {
    const share = { visits: Math.floor(walk.visits / members.length), again: Math.floor(walk.again / members.length) }
    const one: Walk = { ...walk, ...share, named: [], found: 0 }
    inValue(one, member, value, path)
    return one
  })
  const best = tries.reduce((best, one) => one.found < best.found ? one : best)
  walk.visits = members.length * Math.min(...tries.map(({ visits }) => visits))
  walk.again = members.length * Math.min(...tries.map(({ again }) => again))
  walk.isCut = best.isCut
  for (const fault of best.named) add(walk, fault)
  walk.found += best.found - best.named.length
}

/** Looks at the parts of a value; true if the value has another kind and so no such parts. */
const inParts = (walk: Walk, ast: SchemaAST.AST, value: unknown, path: Path, owner: SchemaAST.AST): boolean => {
  switch (ast._tag) {
    case "Objects":
      if (!isRecord(value)) return true
      inObject(walk, ast, value, path)
      return false
    case "Arrays":
      if (!Array.isArray(value)) return true
      inList(walk, ast, value, path)
      return false
    case "Union": {
      const members = ast.types.map(sentFor)
      const objects = members.filter((member) => member._tag === "Objects")
      const list = ast.types.find((_, index) => members[index]?._tag === "Arrays")
      if (isRecord(value) && objects.length > 0) inObjectUnion(walk, objects, value, path)
      else if (Array.isArray(value) && list !== undefined) inValue(walk, list, value, path, owner)
      return false
    }
    default:
      return false
  }
}

/** The one member of a union that takes something. */
const onlyMember = (ast: SchemaAST.AST) => {
  if (ast._tag !== "Union") return undefined
  const [only, another] = ast.types.filter((type) => !["Null", "Undefined"].includes(sentFor(type)._tag))
  return another === undefined ? only : undefined
}

/** `owner`: the node that the fault names, if it is larger than this one, as with `or null`. */
const inValue = (walk: Walk, ast: SchemaAST.AST, value: unknown, path: Path, owner: SchemaAST.AST = ast): void => {
  if (!mayVisit(walk)) return
  const sent = sentFor(ast)
  if (walk.source === "query" && Array.isArray(value) && sent._tag !== "Arrays") {
    return add(walk, { path, says: "must be given once" })
  }
  const [found, visits] = [walk.found, walk.visits]
  if (inParts(walk, sent, value, path, owner)) return add(walk, { path, says: wrongKind(owner) })
  if (walk.found > found || walk.isCut) return
  // The schema itself looks at it again: it knows the checks of the whole.
  walk.again -= visits - walk.visits
  if (walk.again < 0) {
    walk.isCut = true
    return
  }
  const issue = issueOf(ast, value)
  if (issue === undefined) return
  const only = onlyMember(sent)
  if (only !== undefined && value !== undefined) return inValue(walk, only, value, path, owner)
  const isOfKind = issue._tag !== "InvalidType" && issue._tag !== "AnyOf"
  const fault = faultOf(issue, walk.source, path, isOfKind ? ast : owner, value)
  add(walk, fault.says === wrongKind(ast) ? { ...fault, says: wrongKind(owner) } : fault)
}

/**
 * The faults of a value that this schema has refused, in the order of the schema, with unknown keys last. The work is
 * bounded for any value. If the bound is reached before a fault is found, the result is `issue`, the first fault that
 * the schema found.
 */
export const faultsOf = (
  ast: SchemaAST.AST,
  value: unknown,
  issue: SchemaIssue.Issue,
  source: Source = "body"
): Faults => {
  const walk: Walk = { source, named: [], visits: mostVisits, again: mostVisits, found: 0, isCut: false }
  inValue(walk, ast, value, [])
  if (walk.found === 0) return { named: [faultOf(issue, source)], more: walk.isCut ? undefined : 0 }
  return { named: walk.named, more: walk.isCut ? undefined : walk.found - walk.named.length }
}

/** A sentence without its full stop. */
export const sentenceOf = ({ path, says, unknown = false }: Fault, whole: string): string => {
  const name = nameOf(path)
  return name === "" ? `${whole} ${says}` : unknown ? `\`${name}\` ${says}` : `${name} ${says}`
}
