import { turma } from "../../browser/client/Api.ts"
import type { Schemas } from "../../sdk/index.ts"
import { ofClub } from "./View.ts"

/** Somebody to mention. */
export type Person = Schemas["Person"]

/** The people whose names have a word that begins so: at most 10. */
export const findPeople = async (q: string, signal: AbortSignal): Promise<ReadonlyArray<Person>> =>
  (await turma.classroomPeople.find({ ...ofClub, q }, { signal })).data
