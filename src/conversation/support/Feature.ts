import { Layer } from "effect"
import { ClassroomSupportHttp, SupportHttp } from "./Http.ts"
import { MessageReader } from "./MessageReader.ts"
import { MessageWriter } from "./MessageWriter.ts"
import { StudentConversations } from "./StudentConversations.ts"
import { supportEraser } from "./SupportEraser.ts"
import { SupportInbox } from "./SupportInbox.ts"

/** Conversations of students with the club's support. */
export const support = {
  services: Layer.merge(StudentConversations.layer, SupportInbox.layer)
    .pipe(Layer.provide([MessageWriter.layer, MessageReader.layer])),
  routes: Layer.merge(ClassroomSupportHttp, SupportHttp),
  workers: Layer.empty,
  erasers: [supportEraser]
}
