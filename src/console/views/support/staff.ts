import { turma } from "../../../browser/client/Api.ts"
import { type Read, useRead } from "../../../browser/client/Reads.ts"
import type { Choice } from "../../../browser/parts/Fields.tsx"
import { may } from "../../club/Rights.ts"

/** A choice of the members who look after students. It also has the chosen member, if that is somebody else. */
export const useStaff = (clubId: string): Read<ReadonlyArray<Choice>> =>
  useRead(`${clubId}/support/staff`, async (signal) => {
    const staff: Array<Choice> = []
    for await (const { id, name, role } of turma.clubs.listMembers({ clubId, limit: 100 }, { signal })) {
      if (may(role, "support")) staff.push({ value: id, label: name })
    }
    return staff
  })
