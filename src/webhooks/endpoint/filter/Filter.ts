import { DateTime, Option, Result, Schema } from "effect"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { anyText } from "../../../platform/http/Text.ts"
import { Timestamp } from "../../../platform/http/Timestamp.ts"

/** Conditions that lie within each other at most, the outermost one counted. */
const deepest = 5

/** Conditions of a filter at most, those that hold others counted. */
const mostConditions = 50

/** Values of a set at most. */
const largestSet = 100

const Scalar = Schema.Union([anyText(0, 500), Schema.Finite, Schema.Boolean, Schema.Null])
type Scalar = typeof Scalar.Type

/** An end of a range: all ends of one range are numbers, or all are moments, in milliseconds. */
interface Bound {
  readonly kind: "number" | "moment"
  readonly value: number
}

/** Names of own properties, from the body inwards. */
export type FieldPath = ReadonlyArray<string>

/** A condition about one field. A field is absent if no own property leads to it. */
export type Leaf =
  | { readonly is: "equals"; readonly path: FieldPath; readonly value: Scalar }
  | { readonly is: "in"; readonly path: FieldPath; readonly values: ReadonlySet<Scalar> }
  | { readonly is: "exists"; readonly path: FieldPath; readonly wanted: boolean }
  | {
    readonly is: "range"
    readonly path: FieldPath
    readonly kind: Bound["kind"]
    readonly gt?: number
    readonly gte?: number
    readonly lt?: number
    readonly lte?: number
  }

/** The events that an endpoint gets, beside their types. */
export type Filter =
  | Leaf
  | { readonly is: "all" | "any"; readonly of: ReadonlyArray<Filter> }
  | { readonly is: "not"; readonly of: Filter }

/** True if a filter never stops events of this type. A receiver that misses a removal keeps the student's data. */
export const isUnfiltered = (type: unknown): boolean => type === "student.removed"

/** The fault of a filter, and its place: `all[1].field`. */
export class FilterInvalid extends ApiError<FilterInvalid>()("FilterInvalid", {
  status: 422,
  code: "filter_invalid",
  message: {
    en: "filter must be a condition as described in the guide to receivers",
    "pt-BR": "O filtro não está no formato que o serviço entende."
  }
}) {}

/** Up to 8 names. */
const Path = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64}){0,7}$/))
const Several = Schema.Array(Schema.Unknown).check(Schema.isMinLength(1), Schema.isMaxLength(mostConditions))
const End = Schema.optionalKey(Schema.Union([Schema.Finite, Timestamp]))

/** One condition without those in it, which are decoded on their own: no input is followed deeper than is allowed. */
const Shapes = {
  all: Schema.Struct({ all: Several }),
  any: Schema.Struct({ any: Several }),
  not: Schema.Struct({ not: Schema.Unknown }),
  equals: Schema.Struct({ field: Path, equals: Scalar }),
  in: Schema.Struct({
    field: Path,
    in: Schema.Array(Scalar).check(Schema.isMinLength(1), Schema.isMaxLength(largestSet))
  }),
  exists: Schema.Struct({ field: Path, exists: Schema.Boolean }),
  range: Schema.Struct({ field: Path, gt: End, gte: End, lt: End, lte: End })
}

const strictly = { onExcessProperty: "error" } as const
const decoders = {
  all: Schema.decodeUnknownOption(Shapes.all, strictly),
  any: Schema.decodeUnknownOption(Shapes.any, strictly),
  not: Schema.decodeUnknownOption(Shapes.not, strictly),
  equals: Schema.decodeUnknownOption(Shapes.equals, strictly),
  in: Schema.decodeUnknownOption(Shapes.in, strictly),
  exists: Schema.decodeUnknownOption(Shapes.exists, strictly),
  range: Schema.decodeUnknownOption(Shapes.range, strictly)
}

type Parsed<A> = Result.Result<A, FilterInvalid>

const invalid = (place: string, problem: string): Parsed<never> =>
  Result.fail(new FilterInvalid({ error: { message: `${place}: ${problem}` } }))

const boundOf = (end: number | DateTime.Utc): Bound =>
  typeof end === "number"
    ? { kind: "number", value: end }
    : { kind: "moment", value: DateTime.toEpochMillis(end) }

const rangeOf = ({ field, ...ends }: typeof Shapes.range.Type, place: string): Parsed<Leaf> => {
  const bounds = Object.entries(ends).map(([name, end]) => ({ name, ...boundOf(end) }))
  const [first] = bounds
  if (first === undefined) return invalid(place, "must have one of equals, in, exists, gt, gte, lt, lte, all, any, not")
  if (bounds.some(({ kind }) => kind !== first.kind)) return invalid(place, "must compare with numbers or with times")
  const values = Object.fromEntries(bounds.map(({ name, value }) => [name, value]))
  return Result.succeed({ is: "range", path: field.split("."), kind: first.kind, ...values })
}

/** Counts as it goes, so that it decodes only as much as is allowed. */
class Parser {
  #conditions = 0

  parse(input: unknown, place: string, depth: number): Parsed<Filter> {
    this.#conditions += 1
    if (depth > deepest) return invalid(place, `must not lie deeper than ${deepest} conditions`)
    if (this.#conditions > mostConditions) return invalid("filter", `must have ${mostConditions} conditions at most`)
    const some = Option.map(decoders.all(input), ({ all }) => ["all", all] as const)
    const several: Option.Option<readonly ["all" | "any", ReadonlyArray<unknown>]> = Option.orElse(
      some,
      () => Option.map(decoders.any(input), ({ any }) => ["any", any] as const)
    )
    if (Option.isSome(several)) {
      const [is, inputs] = several.value
      return this.#several(is, inputs, place, depth)
    }
    const not = decoders.not(input)
    if (Option.isSome(not)) {
      return Result.map(this.parse(not.value.not, `${place}.not`, depth + 1), (of) => ({ is: "not", of }))
    }
    return this.#leaf(input, place)
  }

  #several(is: "all" | "any", inputs: ReadonlyArray<unknown>, place: string, depth: number): Parsed<Filter> {
    const of: Array<Filter> = []
    for (const [index, input] of inputs.entries()) {
      const parsed = this.parse(input, `${place}.${is}[${index}]`, depth + 1)
      if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
      of.push(parsed.success)
    }
    return Result.succeed({ is, of })
  }

  #leaf(input: unknown, place: string): Parsed<Filter> {
    const equals = decoders.equals(input)
    if (Option.isSome(equals)) {
      return Result.succeed({ is: "equals", path: equals.value.field.split("."), value: equals.value.equals })
    }
    const within = decoders.in(input)
    if (Option.isSome(within)) {
      return Result.succeed({ is: "in", path: within.value.field.split("."), values: new Set(within.value.in) })
    }
    const exists = decoders.exists(input)
    if (Option.isSome(exists)) {
      return Result.succeed({ is: "exists", path: exists.value.field.split("."), wanted: exists.value.exists })
    }
    const range = decoders.range(input)
    if (Option.isSome(range)) return rangeOf(range.value, place)
    return invalid(
      place,
      "must be {field, equals}, {field, in}, {field, exists}, {field, gt, gte, lt or lte}, {all}, {any} or {not}"
    )
  }
}

/** The filter that this JSON writes. Its cost is bounded: it is small, flat, and each condition looks at one field. */
export const parseFilter = (input: unknown): Parsed<Filter> => new Parser().parse(input, "filter", 1)
