import { Layer } from "effect"
import { Desk } from "./Desk.ts"
import { ClassroomSupportHttp, SupportHttp } from "./Http.ts"
import { Messages } from "./Messages.ts"
import { OwnConversations } from "./OwnConversations.ts"
import { supportEraser } from "./SupportEraser.ts"
import { SupportInbox } from "./SupportInbox.ts"

/** Conversations of students with the club's support. */
export const support = {
  services: Layer.merge(OwnConversations.layer, SupportInbox.layer).pipe(
    Layer.provide([Desk.layer, Messages.layer])
  ),
  routes: Layer.merge(ClassroomSupportHttp, SupportHttp),
  workers: Layer.empty,
  erasers: [supportEraser]
}
