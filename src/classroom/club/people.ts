import { askExchange } from "../../browser/client/Api.ts"
import { clubId } from "./View.ts"

/** Somebody to mention. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly role: "student" | "staff"
}

const isPerson = (value: unknown): value is Person =>
  typeof value === "object" && value !== null && "id" in value && "name" in value && "role" in value &&
  typeof value.id === "string" && typeof value.name === "string"

/** The people whose names have a word that begins so: at most 10. */
export const findPeople = async (q: string): Promise<ReadonlyArray<Person>> => {
  const answer = await askExchange(
    "GET",
    `api/v1/clubs/${encodeURIComponent(clubId)}/classroom/people?q=${encodeURIComponent(q)}`
  )
  const data = typeof answer === "object" && answer !== null && "data" in answer ? answer.data : []
  return Array.isArray(data) ? data.filter(isPerson) : []
}
