import { turma } from "../../../../browser/client/Api.ts"
import { allOf } from "../../../../browser/client/Lists.ts"
import { changed, useRead } from "../../../../browser/client/Reads.ts"
import type { Membership } from "../../../club/Session.ts"
import { type Student, studentKey } from "../../../club/Student.ts"

export type { Student } from "../../../club/Student.ts"

/** The properties of a part of a student's page. */
export interface StudentProps {
  readonly club: Membership
  readonly student: Student
}

/** Reads everything about a student anew after a change. */
export const studentChanged = (club: Membership, studentId: string): void =>
  changed(studentKey(club, studentId), `${club.organization_id}/students?`)

/** The names of the members of a club by their ids. */
export const useMemberNames = ({ organization_id: clubId }: Membership): ReadonlyMap<string, string> => {
  const { data = [] } = useRead(
    `${clubId}/members/names`,
    (signal) => allOf(turma.clubs.listMembers({ clubId, limit: 100 }, { signal }))
  )
  return new Map(data.map(({ id, name }) => [id, name]))
}
