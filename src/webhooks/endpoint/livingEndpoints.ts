import type { SqlClient, Statement } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { endpointLimit } from "./Endpoint.ts"

/**
 * A club's endpoints that are not deleted, in parentheses. Their own index gives the order. The primary key would read
 * all endpoints that the club has ever had, and listeners come and go.
 */
export const livingEndpoints = (sql: SqlClient.SqlClient, club_id: ClubId): Statement.Fragment =>
  sql`
    (
      select * from webhook_endpoints where club_id = ${club_id} and deleted_at is null
      order by club_id, slot limit ${endpointLimit}
    )`
