import { turma } from "../../client/Api.ts"
import { type Read, useRead } from "../../client/Reads.ts"
import { may } from "../../client/Rights.ts"
import type { Choice } from "../../parts/Fields.tsx"

/** The members who look after students, as a choice; somebody else who is chosen now is there too. */
export const useStaff = (clubId: string): Read<ReadonlyArray<Choice>> =>
  useRead(`${clubId}/support/staff`, async (signal) => {
    const staff: Array<Choice> = []
    for await (const { id, name, role } of turma.clubs.listMembers({ clubId, limit: 100 }, { signal })) {
      if (may(role, "support")) staff.push({ value: id, label: name })
    }
    return staff
  })
