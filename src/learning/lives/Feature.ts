import { Layer } from "effect"
import { ClassroomLives } from "./ClassroomLives.ts"
import { ClassroomLivesHttp, LivesHttp } from "./Http.ts"
import { liveItems } from "./LiveItems.ts"
import { Lives } from "./Lives.ts"

/** Lives and who came. */
export const lives = {
  services: Layer.merge(ClassroomLives.layer, Lives.layer),
  routes: Layer.merge(ClassroomLivesHttp, LivesHttp),
  workers: Layer.empty,
  deliveryItem: liveItems
}
