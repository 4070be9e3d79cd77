import { Layer } from "effect"
import { AssistantComments } from "./AssistantComments.ts"
import { CommentMarks } from "./CommentMarks.ts"
import { CommentNotifications } from "./CommentNotifications.ts"
import { CommentReader } from "./CommentReader.ts"
import { commentsEraser } from "./CommentsEraser.ts"
import { CommentWriter } from "./CommentWriter.ts"
import { Discussions } from "./Discussions.ts"
import { ClassroomCommentsHttp, CommentsHttp, PostCommentsHttp } from "./Http.ts"
import { ModeratedComments } from "./ModeratedComments.ts"
import { StaffComments } from "./StaffComments.ts"
import { StudentComments } from "./StudentComments.ts"
import { VisibleComments } from "./VisibleComments.ts"

/** Comments on lessons and posts. */
export const comments = {
  services: Layer.mergeAll(CommentMarks.layer, StudentComments.layer, ModeratedComments.layer).pipe(
    Layer.provideMerge(StaffComments.layer),
    Layer.provideMerge(Layer.mergeAll(AssistantComments.layer, Discussions.layer)),
    Layer
      .provideMerge(Layer.mergeAll(
        CommentNotifications.layer,
        CommentWriter.layer,
        VisibleComments.layer,
        CommentReader.layer
      ))
  ),
  routes: Layer.mergeAll(ClassroomCommentsHttp, CommentsHttp, PostCommentsHttp),
  workers: Layer.empty,
  erasers: [commentsEraser]
}
