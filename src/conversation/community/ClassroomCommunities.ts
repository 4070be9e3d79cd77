import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ItemHolder } from "../../membership/access/ItemAccess.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { firstOr } from "../../platform/sql/Rows.ts"
import { Community, Space } from "./Community.ts"
import { seesSpace } from "./PostVisibility.ts"

const CommunityRow = Schema.Struct({ ...Community.fields, spaces: Schema.Array(Schema.toCodecJson(Space)) })
const decodeRow = firstOr(CommunityRow, () => new NotFound())

/** The community as students see it. */
export class ClassroomCommunities extends Context.Service<ClassroomCommunities, {
  /** With the spaces that the student sees, in their order. `NotFound`: it is not published. One statement. */
  read(student: ItemHolder): Effect.Effect<Community, NotFound>
}>()("turma/conversation/community/ClassroomCommunities") {
  static readonly layer = Layer.effect(
    ClassroomCommunities,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const read = Effect.fn("ClassroomCommunities.read")(function*(student: ItemHolder) {
        const row = yield* sql`
            select community.id, community.name, community.description, community.created_at, community.published_at,
              coalesce((
                select jsonb_agg(to_jsonb(seen) order by seen.position, seen.id)
                from (
                  select space.id, space.name, space.access, space.visibility, space.posting, space.position,
                    false as archived, space.created_at, space.description
                  from spaces space where space.club_id = community.club_id and ${seesSpace(sql, student)}
                ) seen
              ), '[]') as spaces
            from communities community
            where community.club_id = ${student.club_id} and community.published_at is not null`.pipe(decodeRow)
        return new Community(row)
      })

      return ClassroomCommunities.of({ read })
    })
  )
}
