import { Option, Result, Schema } from "effect"
import { field } from "../../../platform/http/Field.ts"
import { type Filter, FilterInvalid, parseFilter } from "./Filter.ts"

/** A filter as its author writes it. The service judges it, and says where it is wrong. */
const FilterJson = Schema.Record(Schema.String, Schema.Unknown)
export type FilterJson = typeof FilterJson.Type

/** The form in answers and rows. */
export const StoredFilter = Schema.NullOr(FilterJson)

/** Longer ones are refused: a set may be large, but not each of them. */
const longest = 10_000

/** It is about purchases, and stands beside the type of an event that has one. */
export const filterExample = { all: [{ field: "data.purchase.amount_cents", gte: 10_000 }] }

export const shownFilter = StoredFilter.pipe(field(
  "Which events of its types are sent, by fields of their bodies; null: all of them. `student.removed` is sent whatever it says",
  null
))

/** Absent is unchanged, or no filter of a new endpoint. */
export const askedFilter = Schema.optionalKey(StoredFilter).pipe(field(
  "Send only events that match, as the guide to receivers describes, and `student.removed` in any case; null for all of its types",
  filterExample
))

export const testedFilter = FilterJson.pipe(field("The filter, as an endpoint would have it", filterExample))

/** The filter, if it is one. */
export const judgeFilter = (json: FilterJson): Result.Result<Filter, FilterInvalid> =>
  Result.flatMap(parseFilter(json), (filter) =>
    JSON.stringify(json).length <= longest
      ? Result.succeed(filter)
      : Result.fail(new FilterInvalid({ error: { message: `filter: must be ${longest} characters long at most` } })))

// Reading one may take milliseconds, and the endpoints of a batch are asked about each of its events.
const opened = new WeakMap<FilterJson, Filter | null>()

/** A stored filter. If it is not valid any more, everything passes: it was valid when it was stored. */
export const openFilter = (json: FilterJson | null): Filter | null => {
  if (json === null) return null
  const known = opened.get(json)
  if (known !== undefined) return known
  const filter = Option.getOrNull(Result.getSuccess(parseFilter(json)))
  opened.set(json, filter)
  return filter
}
