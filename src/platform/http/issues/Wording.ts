import { Array as Arr, Predicate, type SchemaAST } from "effect"

type Filter = Extract<NonNullable<SchemaAST.AST["checks"]>[number], { readonly _tag: "Filter" }>

/** From how many to how many. */
interface Range {
  readonly least: number | undefined
  readonly most: number | undefined
}

const lengths = /^effect\/schema\/is(?:Between|Min|Max)(?:Length|CodePoints)$/
const numbers = /^effect\/schema\/is(?:Int|Finite|Between|(?:Greater|Less)Than(?:OrEqualTo)?)$/

const idOf = ({ annotations }: Filter) => annotations?.representation?.id ?? ""

const isLength = (filter: Filter) => lengths.test(idOf(filter))
const isNumeric = (filter: Filter) => numbers.test(idOf(filter))

const numberAt = (payload: unknown, ...names: ReadonlyArray<string>) =>
  names.map((name) => Predicate.hasProperty(payload, name) ? payload[name] : undefined).find(Predicate.isNumber)

const rangeOf = ({ annotations }: Filter): Range => {
  const payload = annotations?.representation?.payload
  const least = numberAt(payload, "minimum", "minLength", "minCodePoints")
  const most = numberAt(payload, "maximum", "maxLength", "maxCodePoints")
  return { least, most }
}

/** Of filters that all hold. */
const rangeOfAll = (filters: ReadonlyArray<Filter>): Range => {
  const ranges = filters.map(rangeOf)
  return {
    least: ranges.findLast(({ least }) => least !== undefined)?.least,
    most: ranges.findLast(({ most }) => most !== undefined)?.most
  }
}

/** `1 to 40 characters`; nothing where any number will do. */
const counted = ({ least = 0, most }: Range, unit: string) => {
  const units = (count: number) => `${count} ${unit}${count === 1 ? "" : "s"}`
  if (most === undefined) return least === 0 ? "" : `at least ${units(least)}`
  if (least === most) return units(most)
  return least === 0 ? `at most ${units(most)}` : `${least} to ${units(most)}`
}

const of = (amount: string) => amount === "" ? "" : ` of ${amount}`

/** The expectation that a filter of ours states: a noun, or a sentence from `must` on. */
const ownWords = (filter: Filter): string | undefined => {
  const { expected } = filter.annotations ?? {}
  if (isLength(filter) || isNumeric(filter) || typeof expected !== "string") return undefined
  // Effect states a pattern as the pattern itself.
  return expected.includes("RegExp") ? undefined : expected
}

const isSentence = (words: string) => words.startsWith("must ")

const filtersOf = (checks: SchemaAST.AST["checks"]): ReadonlyArray<Filter> =>
  (checks ?? []).flatMap((check) => check._tag === "Filter" ? [check] : filtersOf(check.checks))

/** The node and all its encodings, from the code's value to the sent one. */
const chainOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => [
  ast,
  ...(ast.encoding ?? []).flatMap(({ to }) => chainOf(to))
]

/** The sent form of this node: suspended schemas are resolved, and decoded ones replaced by their source. */
export const sentFor = (ast: SchemaAST.AST): SchemaAST.AST => {
  if (ast._tag === "Suspend") return sentFor(ast.thunk())
  return ast.encoding === undefined ? ast : sentFor(Arr.lastNonEmpty(ast.encoding).to)
}

/** A number in a URL is sent as text, and is a number for the client. A value of any type is tidied before it is read. */
const spokenOf = (ast: SchemaAST.AST) => {
  const sent = sentFor(ast)
  return ast._tag === "Number" || ast._tag === "Boolean" || sent._tag === "Unknown" ? ast : sent
}

const allFilters = (ast: SchemaAST.AST) => {
  const spoken = spokenOf(ast)
  return chainOf(ast).filter(({ _tag }) => _tag === spoken._tag).flatMap(({ checks }) => filtersOf(checks))
}

/** The noun that one of the filters has for what it takes. */
const ownNoun = (filters: ReadonlyArray<Filter>) =>
  filters.map(ownWords).findLast((words) => words !== undefined && !isSentence(words))

const ofNumber = (filters: ReadonlyArray<Filter>) => {
  const { least, most } = rangeOfAll(filters)
  const kind = filters.some((filter) => idOf(filter).endsWith("isInt")) ? "a whole number" : "a number"
  if (least !== undefined && most !== undefined) return `${kind} from ${least} to ${most}`
  return least !== undefined ? `${kind} from ${least} on` : most !== undefined ? `${kind} up to ${most}` : kind
}

/** More would be a catalog. */
const mostChoices = 30

const oneOf = (choices: ReadonlyArray<string>) => {
  const [first = "null"] = choices
  if (choices.length <= 1) return first
  const named = choices.slice(0, mostChoices)
  const rest = choices.length - named.length
  return `one of ${named.join(", ")}${rest === 0 ? "" : ` or ${rest} others`}`
}

const ofUnion = (types: ReadonlyArray<SchemaAST.AST>): string => {
  const sent = types.map(sentFor)
  const literals = sent.flatMap((type) => type._tag === "Literal" ? [String(type.literal)] : [])
  const others = types.filter((_, index) => sent[index]?._tag !== "Literal").map(nounOf)
  const nouns = [...(literals.length === 0 ? [] : [oneOf(literals)]), ...others]
  return Arr.dedupe([...nouns.filter((noun) => noun !== "null"), ...nouns.filter((noun) => noun === "null")])
    .join(" or ")
}

/** The noun for this node in a sentence: `a whole number from 1 to 100`. */
const nounOf = (ast: SchemaAST.AST): string => {
  const spoken = spokenOf(ast)
  const filters = allFilters(ast)
  switch (spoken._tag) {
    case "String":
      return ownNoun(filters) ?? `a string${of(counted(rangeOfAll(filters.filter(isLength)), "character"))}`
    case "Number":
      return ofNumber(filters.filter(isNumeric))
    case "Boolean":
      return "true or false"
    case "Null":
    case "Undefined":
    case "Void":
      return "null"
    case "Literal":
      return String(spoken.literal)
    case "Union":
      return ofUnion(spoken.types)
    case "Arrays":
      return `a list${of(counted(rangeOfAll(filters.filter(isLength)), "item"))}`
    case "Objects":
    case "ObjectKeyword":
      return "an object"
    default:
      return "something else"
  }
}

/** The fault of a text or a list of this length, or of one whose length does not matter. */
const ofLength = (ast: SchemaAST.AST, length: number | undefined) => {
  const filters = allFilters(ast)
  const range = rangeOfAll(filters.filter(isLength))
  if (spokenOf(ast)._tag === "Arrays") return `must have ${counted(range, "item")}`
  const noun = ownNoun(filters)
  if (noun === undefined) return `must have ${counted(range, "character")}`
  const { most } = range
  const isLong = length !== undefined && most !== undefined && length > most
  return `must be ${noun}${isLong ? of(counted({ least: undefined, most }, "character")) : ""}`
}

/** The fault of a value that has another kind than this node. */
export const wrongKind = (ast: SchemaAST.AST): string => `must be ${nounOf(ast)}`

/** The fault of a value that this filter of the node refused; `said` is the filter's own message. */
export const refusedBy = (ast: SchemaAST.AST, filter: Filter, said?: string, length?: number): string => {
  if (!allFilters(ast).includes(filter)) return wrongKind(ast)
  if (isLength(filter)) return ofLength(ast, length)
  const words = said ?? ownWords(filter)
  if (words === undefined) return wrongKind(ast)
  return isSentence(words) ? words : `must be ${words}`
}
