import type { TaughtLesson } from "./Taught.ts"

/** A course about photography, in English. Its lessons share much of their vocabulary. */
export const photography: ReadonlyArray<TaughtLesson> = [
  {
    key: "aperture",
    title: "Aperture and depth of field",
    kind: "text",
    body:
      `The aperture is the opening in the lens through which light enters the camera. It is measured in f-numbers, and a smaller f-number means a wider opening. At f/1.8 the lens lets in much more light than at f/16.

A wide aperture gives a shallow depth of field, so the background becomes soft and blurred. Portrait photographers like this because it separates the person from what is behind. For landscapes, choose f/8 or f/11 so that both the foreground and the mountains are sharp.

Stopping down beyond f/16 makes the picture softer again, because diffraction bends the light at the edges of the blades.`
  },
  {
    key: "shutter",
    title: "Shutter speed",
    kind: "text",
    body:
      `Shutter speed is the time during which the sensor is exposed to light. A fast speed such as 1/1000 of a second freezes a running child or a bird in flight. A slow speed such as half a second turns a waterfall into silk.

When you hold the camera by hand, the speed should not be slower than one over the focal length. With a 200 mm lens that is 1/200 of a second. Slower than that, the shake of your hands blurs the whole frame.

Panning means following a moving subject with the camera at about 1/30 of a second. The subject stays sharp and the background becomes streaks.`
  },
  {
    key: "iso",
    title: "ISO and noise",
    kind: "transcript",
    body:
      `Hi everyone, in this video we talk about sensitivity. ISO tells you how strongly the camera amplifies the signal of the sensor. At ISO 100 the image is clean, and at ISO 6400 you see grain and loss of colour, which we call noise.

Keep the ISO as low as the light allows. Raise it only after you have opened the aperture and slowed the shutter as far as you can. A noisy picture is still better than a blurred one, so do not be afraid of ISO 1600 at a concert.

Large sensors collect more light, so they show less noise than the tiny sensor of a phone. Noise is most visible in the shadows, especially when you brighten them afterwards.`
  },
  {
    key: "composition",
    title: "Composition",
    kind: "text",
    body:
      `The rule of thirds divides the frame with two horizontal and two vertical lines. Put the eyes of a portrait or the horizon on one of these lines, not in the middle. The centre works when the scene is symmetrical, like a reflection in a lake.

Leading lines such as roads, fences and rivers pull the viewer into the picture. Leave space in front of a moving subject, so that it has somewhere to go.

Before you press the button, look at the four corners of the frame. Branches, bins and bright signs at the border steal attention. If you cannot crop with your feet, crop later on the computer.`
  },
  {
    key: "lenses",
    title: "Lenses and focal length",
    kind: "text",
    body:
      `Focal length is given in millimetres and decides the angle of view. A 24 mm wide-angle lens shows the whole room, while a 200 mm telephoto brings a distant animal close. A 50 mm lens on a full-frame camera sees roughly like the human eye.

Wide-angle lenses held near a face stretch the nose, so step back and use 85 mm for flattering portraits. Telephoto lenses compress distance and make the moon look huge behind a tower.

A prime lens has one fixed focal length, and it is usually lighter and brighter than a zoom. Clean the front glass with a blower first and a microfibre cloth second, never with your shirt.`
  },
  {
    key: "whitebalance",
    title: "White balance and colour",
    kind: "document",
    body:
      `White balance tells the camera which light should count as neutral. Candle light is about 1900 kelvin and very orange; open shade is about 8000 kelvin and blue. If people look sick under fluorescent tubes, the white balance is wrong.

Shoot raw files when you can, because in raw the white balance can be changed afterwards without loss. A grey card held in front of the subject gives an exact reference. Mixed lighting, a window on one side and a lamp on the other, cannot be corrected with one setting.

JPEG files are smaller and ready to share, but the camera has already thrown away most of the colour information.`
  },
  {
    key: "night",
    title: "Tripod and night photography",
    kind: "text",
    body:
      `At night a tripod matters more than an expensive camera. Spread the legs wide, hang your bag from the centre column and avoid raising that column in the wind. Switch off image stabilisation on the tripod, because it can add its own movement.

Use the self-timer of two seconds or a remote release, so that your finger does not shake the camera. For stars, divide 500 by the focal length to get the longest exposure in seconds before they become trails. With a 20 mm lens that is 25 seconds.

Blue hour, the half hour after sunset, keeps detail in the sky while the city lights are already on. Bring a spare battery, for cold nights drain it in half the time.`
  },
  {
    key: "flash",
    title: "Flash and portrait light",
    kind: "text",
    body:
      `The built-in flash points straight at the face and makes hard shadows and red eyes. Bounce an external flash off a white ceiling, and the light becomes soft and even. A coloured wall tints the skin, so look for white.

The larger the light source in relation to the subject, the softer the shadows. A window with a thin curtain is the cheapest softbox in the world. Place a white sheet of cardboard on the dark side to fill the shadows.

Outdoors at noon the sun is harsh; move the person into open shade or use fill flash. The sync speed of most cameras is 1/200 of a second, and a faster shutter leaves a black band in the frame.`
  }
]
