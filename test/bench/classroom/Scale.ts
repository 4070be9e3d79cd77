import { sized } from "../sized.ts"

/** How large the club that is measured is. */
export const scale = {
  students: sized(100_000, 400),
  courses: 20,
  modulesOfCourse: 5,
  lessonsOfModule: 10,
  /** Each with two courses and 20 live repositories; a student has one of them, and many have had another. */
  deliveries: 10,
  repositoriesOfDelivery: 20,
  filesOfRepository: 5,
  /** How many lessons the most diligent student has completed; fewer than a course has. */
  mostCompleted: 38,
  /** Days over which all of that happened. */
  days: 120,
  /** Students who have asked the assistant, and how much was said. */
  conversations: sized(20_000, 100),
  messagesOfConversation: 10,
  /** Connections, and the students with a session that each is used by. */
  connections: sized(32, 4),
  studentsOfConnection: sized(128, 4),
  /** Other clubs, so that the planner has a reason to use the indexes, and how many of them have points. */
  bystanders: sized(2000, 20),
  bystandersWithPoints: sized(100, 2)
} as const

/** Students with a session who are in no connection, two by two alike: to compare what both contenders do for them. */
export const spare = 4
/** Students with a session, the spare ones last. */
export const actors = scale.connections * scale.studentsOfConnection + spare
export const lessonsOfCourse = scale.modulesOfCourse * scale.lessonsOfModule
export const lessonsOfDelivery = lessonsOfCourse * scale.courses / scale.deliveries
export const lessons = lessonsOfCourse * scale.courses

/** Which delivery a student has. Two after each other have the same, and have done the same. */
export const deliveryOf = (student: number): number => Math.floor(student / 2) % scale.deliveries

/** The address of a lesson. */
export const publicIdOf = (lesson: number): string => `lesson-${lesson}`
