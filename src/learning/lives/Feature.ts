import { Layer } from "effect"
import { ClassroomLives } from "./ClassroomLives.ts"
import { ClassroomLivesHttp, LivesHttp } from "./Http.ts"
import { LiveAnnouncements, LiveAnnouncementsWorker, waitingAnnouncements } from "./LiveAnnouncements.ts"
import { liveItems } from "./LiveItems.ts"
import { Lives } from "./Lives.ts"

/** Lives and who came. */
export const lives = {
  services: Layer.mergeAll(ClassroomLives.layer, LiveAnnouncements.layer, Lives.layer),
  routes: Layer.merge(ClassroomLivesHttp, LivesHttp),
  workers: LiveAnnouncementsWorker,
  queues: [waitingAnnouncements],
  deliveryItem: liveItems
}
