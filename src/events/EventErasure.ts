import { Context, type Effect } from "effect"
import type { ClubId } from "../identity/ids/ClubId.ts"
import type { StudentId } from "../identity/ids/StudentId.ts"

/** How much of what was sent or was to be sent about a student is gone. */
export interface ErasedMessages {
  /** Bodies of messages. */
  readonly bodies: number
  /** Stored starts of responses. */
  readonly responses: number
  /** Deliveries that will not be sent. */
  readonly canceled: number
}

/** How whoever keeps messages forgets a student. Those messages outlive the facts that they tell of. */
export class EventErasure extends Context.Service<EventErasure, {
  /** In the caller's transaction, which holds the student's row: no message about the student can be added meanwhile. */
  eraseStudent(club_id: ClubId, student_id: StudentId): Effect.Effect<ErasedMessages>
}>()("turma/events/EventErasure") {}
