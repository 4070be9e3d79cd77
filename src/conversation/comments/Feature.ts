import { Layer } from "effect"
import { AssistantComments } from "./AssistantComments.ts"
import { CommentMarks } from "./CommentMarks.ts"
import { commentsEraser } from "./CommentsEraser.ts"
import { CommentWriting } from "./CommentWriting.ts"
import { Discussions } from "./Discussions.ts"
import { FoundComments } from "./FoundComments.ts"
import { ClassroomCommentsHttp, CommentsHttp, PostCommentsHttp } from "./Http.ts"
import { OwnComments } from "./OwnComments.ts"
import { ShownComments } from "./ShownComments.ts"
import { StaffComments } from "./StaffComments.ts"

/** Comments on lessons and posts. */
export const comments = {
  services: Layer.mergeAll(CommentMarks.layer, OwnComments.layer, StaffComments.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(AssistantComments.layer, Discussions.layer)),
    Layer.provideMerge(Layer.mergeAll(CommentWriting.layer, FoundComments.layer, ShownComments.layer))
  ),
  routes: Layer.mergeAll(ClassroomCommentsHttp, CommentsHttp, PostCommentsHttp),
  workers: Layer.empty,
  erasers: [commentsEraser]
}
