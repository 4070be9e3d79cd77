import { turma } from "../../client/Api.ts"
import { type Read, useRead } from "../../client/Reads.ts"
import { may } from "../../client/Rights.ts"
import type { Choice } from "../../parts/Fields.tsx"

/** A choice of the members who look after students. It also has the chosen member, if that is somebody else. */
export const useStaff = (clubId: string): Read<ReadonlyArray<Choice>> =>
  useRead(`${clubId}/support/staff`, async (signal) => {
    const staff: Array<Choice> = []
    for await (const { id, name, role } of turma.clubs.listMembers({ clubId, limit: 100 }, { signal })) {
      if (may(role, "support")) staff.push({ value: id, label: name })
    }
    return staff
  })
