"""The prepared data as a linear map."""
