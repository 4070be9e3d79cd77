import { Layer } from "effect"
import { ClassroomSupportHttp, SupportHttp } from "./Http.ts"
import { MessageReader } from "./MessageReader.ts"
import { MessageWriter } from "./MessageWriter.ts"
import { RemovalRequestsHttp } from "./removals/Http.ts"
import { RemovalRequests } from "./removals/RemovalRequests.ts"
import { StudentConversations } from "./StudentConversations.ts"
import { supportEraser } from "./SupportEraser.ts"
import { SupportInbox } from "./SupportInbox.ts"

/** Conversations of students with the club's support, and students who ask to be removed. */
export const support = {
  services: RemovalRequests.layer.pipe(Layer.provideMerge(Layer.merge(StudentConversations.layer, SupportInbox.layer)
    .pipe(Layer.provide([MessageWriter.layer, MessageReader.layer])))),
  routes: Layer.mergeAll(ClassroomSupportHttp, RemovalRequestsHttp, SupportHttp),
  workers: Layer.empty,
  erasers: [supportEraser]
}
