import type { Schemas } from "../../../sdk/index.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"

/** A comment on a lesson or a post. */
export type Comment = Schemas["Comment"]

/** True if a member answers and moderates comments: teachers and student support do. */
export const mayModerate = ({ role }: Membership): boolean => may(role, "teach") || may(role, "support")
