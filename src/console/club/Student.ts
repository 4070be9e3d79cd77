import { turma } from "../../browser/client/Api.ts"
import { type Read, useRead } from "../../browser/client/Reads.ts"
import type { Schemas } from "../../sdk/index.ts"
import type { Membership } from "./Session.ts"

/** A student, with their access. */
export type Student = Schemas["Student"]

/** Under which all that is known of a student is kept. */
export const studentKey = ({ organization_id }: Membership, studentId: string): string =>
  `${organization_id}/students/${studentId}/`

/** A student. */
export const useStudent = (club: Membership, studentId: string): Read<Student> =>
  useRead(`${studentKey(club, studentId)}detail`, async (signal) => {
    const { data } = await turma.students.get({ clubId: club.organization_id, studentId }, { signal })
    return data
  })
