package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/** A placement rule. */
public record YuniKornPlacementRule(
        @JsonPropertyDescription("provided, user, fixed or tag.")
        String name,

        @JsonPropertyDescription("Its parameters: create, and queue of fixed or tagName of tag.")
        Map<String, String> parameters,

        @JsonPropertyDescription("Users and groups that it applies to, if not to everybody.") @OptionalField
        Filter filter,

        @JsonPropertyDescription("The rule that finds the parent queue.") @OptionalField
        YuniKornPlacementRule parentRule) {

    /** Users and groups that a placement rule applies to. */
    public record Filter(
            @JsonPropertyDescription("allow: it applies to these; deny: to all others.")
            String type,

            @JsonPropertyDescription("User names.") @OptionalField
            List<String> userList,

            @JsonPropertyDescription("Group names.") @OptionalField
            List<String> groupList,

            @JsonPropertyDescription("Regular expression of user names.") @OptionalField
            String userExp,

            @JsonPropertyDescription("Regular expression of group names.") @OptionalField
            String groupExp) {}
}
