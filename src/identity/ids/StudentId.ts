import { brandedId } from "../../platform/schema/brandedId.ts"

/** A student of one club. The same person in two clubs is two students. */
export const StudentId = brandedId("StudentId")
export type StudentId = typeof StudentId.Type
