import { sized } from "../sized.ts"

/** The size of the measured club. */
export const scale = {
  students: sized(100_000, 400),
  courses: 20,
  modulesOfCourse: 5,
  lessonsOfModule: 10,
  /** Each has two courses and 20 live repositories. A student has one delivery, and many had another before. */
  deliveries: 10,
  repositoriesOfDelivery: 20,
  filesOfRepository: 5,
  /** Lessons that the most diligent student has completed: fewer than a course has. */
  mostCompleted: 38,
  /** Days over which the students did all this. */
  days: 120,
  /** Students who have asked the assistant, and messages of each conversation. */
  conversations: sized(20_000, 100),
  messagesOfConversation: 10,
  /** Connections, and the students with a session on each connection. */
  connections: sized(32, 4),
  studentsOfConnection: sized(128, 4),
  /** Other clubs, so that the planner has a reason to use the indexes, and how many of these clubs have points. */
  bystanders: sized(2000, 20),
  bystandersWithPoints: sized(100, 2)
} as const

/** Students with a session but no connection, alike in pairs: they compare the work of both contenders. */
export const spare = 4
/** Students with a session, the spare ones last. */
export const actors = scale.connections * scale.studentsOfConnection + spare
export const lessonsOfCourse = scale.modulesOfCourse * scale.lessonsOfModule
export const lessonsOfDelivery = lessonsOfCourse * scale.courses / scale.deliveries
export const lessons = lessonsOfCourse * scale.courses

/** The delivery of a student. The two students of a pair have the same delivery and the same history. */
export const deliveryOf = (student: number): number => Math.floor(student / 2) % scale.deliveries

/** The address of a lesson. */
export const publicIdOf = (lesson: number): string => `lesson-${lesson}`
