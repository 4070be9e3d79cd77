import type { Schemas } from "../../../../sdk/index.ts"
import { turma } from "../../../client/Api.ts"
import { allOf } from "../../../client/Lists.ts"
import { changed, type Read, useRead } from "../../../client/Reads.ts"
import type { Membership } from "../../../client/Session.ts"

/** A student, with their access. */
export type Student = Schemas["Student"]

/** What a part of a student's page is given. */
export interface StudentProps {
  readonly club: Membership
  readonly student: Student
}

const keyOf = ({ organization_id }: Membership, studentId: string) => `${organization_id}/students/${studentId}/`

/** A student. */
export const useStudent = (club: Membership, studentId: string): Read<Student> =>
  useRead(`${keyOf(club, studentId)}detail`, async (signal) => {
    const { data } = await turma.students.get({ clubId: club.organization_id, studentId }, { signal })
    return data
  })

/** Something of a student was changed: everything that is shown of them is read anew. */
export const studentChanged = (club: Membership, studentId: string): void =>
  changed(keyOf(club, studentId), `${club.organization_id}/students?`)

/** The names of the members of a club by their ids. */
export const useMemberNames = ({ organization_id: clubId }: Membership): ReadonlyMap<string, string> => {
  const { data = [] } = useRead(
    `${clubId}/members/names`,
    (signal) => allOf(turma.clubs.listMembers({ clubId, limit: 100 }, { signal }))
  )
  return new Map(data.map(({ id, name }) => [id, name]))
}
