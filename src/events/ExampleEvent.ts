/** An event as it is sent. It stands alone, so that a client of the contract does not load the whole catalog for it. */
export const exampleEvent = {
  id: "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c",
  type: "student.created",
  occurred_at: "2026-04-01T09:30:00.000Z",
  club_id: "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10",
  data: {
    student: {
      id: "01993f2a-7c00-7a10-8c4e-5b1d2f3a4c5d",
      name: "Noel Rosa",
      email: "noel@example.com",
      verified: true,
      created_at: "2026-03-02T13:05:41.120Z"
    },
    origin: "sign_up"
  }
} as const
