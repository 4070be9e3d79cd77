import { Context, type Effect } from "effect"
import type { ClubId } from "../identity/ids/ClubId.ts"
import type { StudentId } from "../identity/ids/StudentId.ts"

/** The number of things about a student that an erasure removed from messages. */
export interface ErasedMessages {
  /** Bodies of messages. */
  readonly bodies: number
  /** Stored starts of responses. */
  readonly responses: number
  /** Deliveries that will not be sent. */
  readonly canceled: number
}

/** Erases a student from messages. The storey that keeps messages implements it: they outlive their facts. */
export class EventErasure extends Context.Service<EventErasure, {
  /** In the caller's transaction, which holds the student's row: no message about the student can be added meanwhile. */
  eraseStudent(club_id: ClubId, student_id: StudentId): Effect.Effect<ErasedMessages>
}>()("turma/events/EventErasure") {}
