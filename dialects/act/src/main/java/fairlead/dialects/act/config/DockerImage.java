package fairlead.dialects.act.config;

import fairlead.dialects.yaml.Section;

import java.util.Optional;

/** The image that the key {@code docker} names, by one text or by image and tag. */
public final class DockerImage {
    private DockerImage() {}

    public static Optional<String> of(Section docker) {
        Optional<String> image = docker.text("image");
        Optional<String> tag = docker.text("tag");
        if (image.isEmpty()) {
            if (tag.isPresent()) docker.mistake("image", "is missing, and there is a tag");
            return image;
        }
        String whole = image.get() + tag.map(text -> ":" + text).orElse("");
        boolean isImage = whole.matches("[A-Za-z0-9][A-Za-z0-9._/:@-]{0,499}");
        boolean isTwice = tag.isPresent() && image.get().matches(".*[:@][^/]*");
        if (isImage && !isTwice) return Optional.of(whole);
        docker.mistake(
                isTwice ? "tag" : "image",
                isTwice
                        ? "is given, but the image already has one"
                        : "is no name of an image: '" + whole + "'");
        return Optional.empty();
    }
}
